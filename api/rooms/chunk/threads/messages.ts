import { FormatError, type FormatCheck } from '../format/index.ts'

/** What the tasks of the threads are called, with what they are given and what they answer. */
export interface Tasks {
  /** Reads a xorb's body by asking for `next`. */
  'verify-xorb': { input: undefined; answer: VerifiedXorb }
  /** Reads a manifest by asking for `next`, has its files validated and checks every hash in it. */
  'verify-shard': { input: { totalBytes: number }; answer: undefined }
  /** Puts a file together from its terms, giving its bytes out by `put`. */
  rebuild: { input: RebuildInput; answer: { sha256: string } }
}

export interface VerifiedXorb {
  /** String form. */
  hash: string
  /** Number of chunks. */
  n: number
  unpackedBytes: number
  /** Without a footer. */
  bodyBytes: number
  /** `encodeIndex` of its chunks. */
  index: Uint8Array
}

export interface RebuildInput {
  terms: number
  sizeBytes: number
  /** Whether anybody wants the bytes, or only their SHA-256. */
  isWanted: boolean
  /**
   * The file's hash in its string form, where it is to be proved again: by each chunk on its way out of the store, and by
   * all of them together. Else the SHA-256 tells.
   */
  fileHash: string | undefined
}

/** A file of a manifest, as the threads tell of it before they check its hashes. */
export interface DescribedFile {
  /** String form. */
  fileHash: string
  /** Lower-case hex; `undefined` when the manifest has none. */
  sha256: string | undefined
  sizeBytes: number
  /** Where its first term lies in the manifest, in bytes from the beginning. */
  termsOffset: number
  terms: number
}

/** The questions a task may ask; each is answered by the side that began it. */
export type Asked = Record<string, (argument: never) => Promise<unknown>>

/** To a thread. */
export type Order =
  | { id: number; begin: keyof Tasks; input: unknown }
  | { id: number; question: number; answer: unknown }
  | { id: number; isOver: true }

/** From a thread. */
export type Report =
  | { id: number; question: number; ask: string; argument: unknown }
  | { id: number; answer: unknown }
  | { id: number; failure: Failure }

/** An error on its way between threads, which carry no classes. */
export interface Failure {
  message: string
  /** Of a FormatError. */
  check?: FormatCheck
  stack?: string | undefined
}

export function toFailure(error: unknown): Failure {
  if (error instanceof FormatError) return { message: error.message, check: error.check }
  return error instanceof Error ? { message: error.message, stack: error.stack } : { message: String(error) }
}

export function fromFailure({ message, check, stack }: Failure): Error {
  if (check !== undefined) return new FormatError(check, message)
  const error = new Error(`in a chunk thread: ${message}`)
  if (stack) error.stack = stack
  return error
}

/** The memory that goes along with a message instead of being copied: what it holds in one piece of its own. */
export function moved(value: unknown): ArrayBuffer[] {
  if (value instanceof ArrayBuffer) return [value]
  const isWhole = value instanceof Uint8Array && value.buffer instanceof ArrayBuffer
  return isWhole && isOwn.has(value) ? [value.buffer as ArrayBuffer] : []
}

const isOwn = new WeakSet<Uint8Array>()

/** Marks bytes whose memory has no other reader, so that a message may take it away. */
export function own<B extends Uint8Array>(bytes: B): B {
  isOwn.add(bytes)
  return bytes
}
