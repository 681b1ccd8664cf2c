import type { FileFacts, InspectInput } from './inspect-bytes.ts'
import type { RangedReader } from './reader/ranged-reader.ts'
import { FileThreads } from './thread/file-threads.ts'

const limits = { threads: 2, deadlineMs: 60_000, memoryMb: 1024 }
const threads = new FileThreads<InspectInput, FileFacts | undefined>(
  new URL('./inspect.worker.ts', import.meta.url),
  limits,
)

/**
 * Reads what a file says of itself, in a thread with 60 s and 1 GiB; nothing for a path without a parser. Facts follow from
 * the bytes, the path's format and `quantization`, so they are kept per content and `PARSER_VERSION`. Rejects with a
 * `FileFailure`, with the error of the reader, or with the reason of the signal.
 */
export function inspect(
  input: InspectInput,
  reader: RangedReader,
  signal?: AbortSignal,
): Promise<FileFacts | undefined> {
  return threads.run(input, reader, signal)
}
