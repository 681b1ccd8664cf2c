import { useEffect, useMemo, useState } from 'react'
import type { ColouredRun, HighlightAnswer, HighlightRequest } from './highlight.worker.ts'
import workerUrl from './highlight.worker.ts?worker&url'

export type { ColouredRun } from './highlight.worker.ts'

/** Longer fenced blocks and diffs are shown uncoloured: colouring them takes longer than reading them. */
export const maxColoured = 300_000

let worker: Worker | undefined
let lastId = 0
const open = new Map<number, Colours>()

function ask(request: HighlightRequest): void {
  if (!worker) {
    worker = new Worker(workerUrl, { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) =>
      open.get(data.id)?.take(data),
    )
  }
  worker.postMessage(request)
}

/** The colours of one text, made in a worker where somebody wants to see them. */
export class Colours {
  private readonly id = ++lastId
  private readonly listeners = new Set<() => void>()
  private readonly wanted = new Set<number>()
  lines: ColouredRun[][] = []
  isDone = false

  private readonly text: string
  private readonly language: string

  constructor(text: string, language: string) {
    this.text = text
    this.language = language
  }

  /** Has the lines from `from` to before `upTo` coloured. */
  want(from: number, upTo: number): void {
    if (this.wanted.has(upTo)) return
    const { id, text, language } = this
    if (!open.has(id)) ask({ kind: 'open', id, text, language })
    open.set(id, this)
    this.wanted.add(upTo)
    ask({ kind: 'want', id, from, upTo })
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  take({ from, lines, isDone }: HighlightAnswer): void {
    for (const [i, line] of lines.entries()) this.lines[from + i] = line
    this.isDone = isDone
    for (const listener of this.listeners) listener()
  }

  /** Ends the work for it; what is wanted later begins it again. */
  close(): void {
    if (!open.delete(this.id)) return
    this.wanted.clear()
    ask({ kind: 'close', id: this.id })
  }
}

/** The colours of a text whose language has a grammar. */
export function useColours(text: string, language: string | undefined): Colours | undefined {
  const colours = useMemo(() => (language ? new Colours(text, language) : undefined), [text, language])
  useEffect(() => () => colours?.close(), [colours])
  return colours
}

/** The coloured lines of a whole text once they are ready; until then, or without a grammar, `undefined`. */
export function useHighlight(text: string, language: string | undefined): ColouredRun[][] | undefined {
  const colours = useColours(text, text.length > maxColoured ? undefined : language)
  const [ready, setReady] = useState<Colours>()
  useEffect(() => {
    if (!colours) return
    colours.want(0, Number.MAX_SAFE_INTEGER)
    return colours.subscribe(() => colours.isDone && setReady(colours))
  }, [colours])
  return ready !== undefined && ready === colours ? ready.lines : undefined
}
