import { useSyncExternalStore } from 'react'
import { Rate } from './rate.ts'

export type Phase = 'hashing' | 'ready' | 'sending' | 'verifying' | 'stored' | 'failed'
export type Mode = 'inline' | 'skip' | 'upload'

/** One file on its way into the repo. */
export interface UploadEntry {
  path: string
  file: File
  phase: Phase
  /** Bytes done of the present phase. */
  doneBytes: number
  sha256?: string
  /** What the plan says: send it within the commit, skip it, upload it first. */
  mode?: Mode
  fault?: string
}

export type Stage = 'choosing' | 'planning' | 'sending' | 'committing' | 'done'

export interface UploadState {
  entries: UploadEntry[]
  stage: Stage
  /** Why the last run stopped. */
  fault?: string
  hashRate: number
  sendRate: number
}

const shownEveryMs = 100

/** The state of the upload page: changed at every progress report, shown ten times a second. */
export class UploadStore {
  private readonly files = new Map<string, UploadEntry>()
  private readonly listeners = new Set<() => void>()
  private readonly hashing = new Rate()
  private readonly sending = new Rate()
  private stage: Stage = 'choosing'
  private fault: string | undefined
  private shown: UploadState = { entries: [], stage: 'choosing', hashRate: 0, sendRate: 0 }
  private timer: ReturnType<typeof setTimeout> | undefined

  entries(): UploadEntry[] {
    return [...this.files.values()]
  }

  put(entry: UploadEntry): void {
    this.files.set(entry.path, entry)
    this.show()
  }

  patch(path: string, change: Partial<UploadEntry>): void {
    const entry = this.files.get(path)
    if (!entry) return
    this.files.set(path, { ...entry, ...change })
    if (change.doneBytes !== undefined) this.measure(entry.phase)
    this.show()
  }

  remove(path: string): void {
    this.files.delete(path)
    this.show()
  }

  enter(stage: Stage, fault?: string): void {
    this.stage = stage
    this.fault = fault
    this.show()
  }

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  readonly snapshot = () => this.shown

  private measure(phase: Phase): void {
    const rate = phase === 'hashing' ? this.hashing : phase === 'sending' ? this.sending : undefined
    const doneOf = (entry: UploadEntry) =>
      entry.phase === phase ? entry.doneBytes : rankOf(entry.phase) > rankOf(phase) ? entry.file.size : 0
    rate?.mark(
      Date.now(),
      this.entries().reduce((sum, entry) => sum + doneOf(entry), 0),
    )
  }

  private show(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.shown = {
        entries: this.entries(),
        stage: this.stage,
        hashRate: this.hashing.perSecond(),
        sendRate: this.sending.perSecond(),
        ...(this.fault === undefined ? {} : { fault: this.fault }),
      }
      for (const listener of this.listeners) listener()
    }, shownEveryMs)
  }
}

const order: Phase[] = ['failed', 'hashing', 'ready', 'sending', 'verifying', 'stored']
const rankOf = (phase: Phase) => order.indexOf(phase)

export function useUploadState(store: UploadStore): UploadState {
  return useSyncExternalStore(store.subscribe, store.snapshot)
}
