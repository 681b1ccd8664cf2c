/** What a thread is asked: one file at a time. */
export interface Order<Input> {
  input: Input
  sizeBytes: number
}

/** A range that a thread waits for. */
export interface RangeAsked {
  offset: number
  length: number
}

/** What a thread says: that it can begin, which range it waits for, or what it has found. */
export type Report<Answer> = 'ready' | { read: RangeAsked } | { answer: Answer } | { failure: string }

/** Where a range is handed over: two numbers, then its bytes. */
export const STATE = 0
export const LENGTH = 1
export const HEAD_BYTES = 8
export const WAITING = 0
export const FILLED = 1
