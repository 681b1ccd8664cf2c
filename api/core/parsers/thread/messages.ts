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

/** What a thread asks for while it goes on with other work: a range of bytes, or room for bytes that it decodes. */
export type Request = { range: RangeAsked } | { room: number }

/** What a thread says: that it can begin, what it needs, or what it has found. */
export type Report<Answer> =
  | 'ready'
  | { read: RangeAsked }
  | { request: Request; id: number }
  | { answer: Answer }
  | { failure: string; isFault?: boolean }

/** What a thread is sent for a request. */
export interface Reply {
  id: number
  bytes?: Uint8Array
  failure?: string
}

/** Where a range is handed over: two numbers, then its bytes. */
export const STATE = 0
export const LENGTH = 1
export const HEAD_BYTES = 8
export const WAITING = 0
export const FILLED = 1
