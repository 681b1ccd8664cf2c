import { FileThreads, type RangedReader } from '../parsers/index.ts'
import type { FileScanFacts } from './facts.ts'
import type { ScanInput } from './scan-bytes.ts'

const limits = { threads: 1, deadlineMs: 15 * 60_000, memoryMb: 1536 }
const threads = new FileThreads<ScanInput, FileScanFacts>(
  new URL('./scan.worker.ts', import.meta.url),
  limits,
)

/**
 * Looks at what a file would do to a program that loads it, in a thread with 15 minutes and 1.5 GiB. The verdict follows from
 * the bytes and `readingOf` the path, so it is kept by these and `SCANNER_VERSION`. Rejects with a `FileFailure`, which
 * is the status `failed`, with the error of the reader, or with the reason of the signal.
 */
export function scan(input: ScanInput, reader: RangedReader, signal?: AbortSignal): Promise<FileScanFacts> {
  return threads.run(input, reader, signal)
}
