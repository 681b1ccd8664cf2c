import { LRUCache } from 'lru-cache'
import { setTimeout as pause } from 'node:timers/promises'
import { bytesReader, FileFailure, FileThreads } from '../../core/parsers/index.ts'

export type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** As `web/app/first-view.tsx` names the file whose text is shown. */
export interface CardFile {
  oid: string
  bytes: string
  address: { type: string; ns: string; name: string }
  rev: string
  path: string
}

/** What the thread is asked. */
export interface CardOrder {
  /** Where the drawing is, which is built with the pages. */
  entry: string
  isWhole: boolean
  card: CardFile
}

/**
 * A page whose card takes longer is sent without it. What is drawn later is there for the next one. The first one, which
 * starts the thread, takes some 300 ms on an idle machine, others 100.
 */
const deadlineMs = 400
/** What is read of a card: its metadata, and 16 KiB of its text. */
const readBytes = 48 * 1024
/** Of one text; most of it is for a busy machine. */
const limits = { threads: 1, deadlineMs: 2000, memoryMb: 96 }
/** Cards under way. Beyond that pages are sent without theirs, as while a hostile one has the thread. */
const maxUnderWay = 8
/** Characters of the drawn cards that are kept: those of some 300 long ones. */
const maxKept = 8_000_000
/** A card that cannot be drawn, or took too long, is not tried again for a while. */
const triedAgainMs = 10 * 60_000

/** The beginnings of cards as pages show them, drawn in a thread with a limit of time and memory, which starts with the first. */
export class DrawnCards {
  readonly #entry: string
  readonly #threads = new FileThreads<CardOrder, string | undefined>(
    new URL('./card.worker.ts', import.meta.url),
    limits,
  )
  readonly #kept = new LRUCache<string, { html: string | undefined }>({
    maxSize: maxKept,
    sizeCalculation: ({ html = '' }, key) => html.length + key.length + 100,
  })
  readonly #underWay = new Map<string, Promise<string | undefined>>()

  /** `entry` is the address of `first-view-card.js`. */
  constructor(entry: string) {
    this.#entry = entry
  }

  /** The beginning of a card for who may read its file by `ask`; `undefined` where there is none soon. `fails` hears our faults. */
  draw(card: CardFile, ask: Ask, fails: (error: unknown) => void): Promise<string | undefined> {
    const html = this.#htmlFor(card, ask).catch((error: unknown) => void fails(error))
    return Promise.race([html, pause(deadlineMs, undefined, { ref: false })])
  }

  /** Ends the thread that has no work. */
  close(): Promise<void> {
    return this.#threads.close()
  }

  async #htmlFor(card: CardFile, ask: Ask): Promise<string | undefined> {
    // Links lead into the repo and its revision.
    const key = JSON.stringify([card.oid, card.address, card.rev, card.path])
    const kept = this.#kept.get(key)
    if (kept) return (await ask(card.bytes, { method: 'HEAD' })).ok ? kept.html : undefined
    // The route of the file refuses callers who may not read it, whether it has been drawn for others or not.
    const answer = await ask(card.bytes, { headers: { Range: `bytes=0-${readBytes - 1}` } })
    if (!answer.ok) return undefined
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const underWay = this.#underWay.get(key)
    if (underWay) return underWay
    if (this.#underWay.size >= maxUnderWay) return undefined
    const html = this.#drawn(key, card, bytes).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, html)
    return html
  }

  async #drawn(key: string, card: CardFile, bytes: Uint8Array): Promise<string | undefined> {
    const isWhole = bytes.length < readBytes
    try {
      const html = await this.#threads.run({ entry: this.#entry, isWhole, card }, bytesReader(bytes))
      this.#kept.set(key, { html })
      return html
    } catch (error) {
      this.#kept.set(key, { html: undefined }, { ttl: triedAgainMs })
      if (error instanceof FileFailure && error.code !== 'crashed') return undefined
      throw error
    }
  }
}
