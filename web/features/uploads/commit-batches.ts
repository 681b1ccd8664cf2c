import { base64 } from '../../../shared/transfer.ts'
import type { CommitOperation } from '../../lib/types.ts'
import { readChosen } from './read-chosen.ts'
import type { UploadEntry } from './state.ts'

/** Bytes of small files in one commit: as base64 they stay well below `server.max_request_body` (64 MiB). */
const batchBytes = 32 * 1024 * 1024
const batchFiles = 2000

/** Entries cut into commits that the server can take whole; one commit unless there is too much for it. */
export function commitBatches(entries: UploadEntry[]): UploadEntry[][] {
  const batches: UploadEntry[][] = []
  let bytes = 0
  for (const entry of entries) {
    const weight = entry.mode === 'inline' ? entry.file.size : 0
    const last = batches.at(-1)
    if (!last || last.length === batchFiles || (last.length > 0 && bytes + weight > batchBytes)) {
      batches.push([entry])
      bytes = weight
    } else {
      last.push(entry)
      bytes += weight
    }
  }
  return batches
}

/** How a planned file enters the commit: its bytes when it is small, its hash when it was uploaded. */
export async function operationOf(entry: UploadEntry): Promise<CommitOperation> {
  const { path, file, mode, sha256 = '' } = entry
  if (mode === 'inline') return { op: 'add', path, content: base64(await readChosen(entry, file)) }
  return { op: 'add', path, lfs: { sha256, size: file.size } }
}
