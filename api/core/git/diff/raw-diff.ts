import type { ChangedBlob, FileChange } from './file-change.ts'

const STATUS: Record<string, FileChange['status']> = {
  A: 'added',
  D: 'deleted',
  M: 'modified',
  T: 'modified',
  R: 'renamed',
}
const ABSENT = '0'.repeat(40)

/**
 * Reads `git diff-tree -r -z --raw --numstat` (git-diff-tree, "Raw output format"). NUL ends each field:
 *   :<old mode> <new mode> <old oid> <new oid> <status>, path [, new path for R]
 * then for each file, in the same order, `<added>\t<deleted>\t<path>`, where a rename has an empty path followed by both.
 * A binary file has `-` for both counts.
 */
export function parseRawDiff(output: Buffer): FileChange[] {
  const fields = output.toString('utf8').split('\0')
  const files: FileChange[] = []
  let at = 0
  while (fields[at]?.startsWith(':')) {
    const [oldMode = '', newMode = '', oldOid = '', newOid = '', status = ''] = (fields[at++] ?? '')
      .slice(1)
      .split(' ')
    const first = fields[at++] ?? ''
    const isRename = status.startsWith('R')
    const old = sideOf(oldMode, oldOid)
    const now = sideOf(newMode, newOid)
    files.push({
      path: isRename ? (fields[at++] ?? '') : first,
      ...(isRename && { oldPath: first }),
      status: STATUS[status[0] ?? ''] ?? 'modified',
      isBinary: false,
      ...(old && { old }),
      ...(now && { new: now }),
    })
  }
  const counts = countsOf(fields.slice(at))
  for (const file of files) {
    const counted = counts.get(file.path)
    file.isBinary = counted === undefined
    if (counted) Object.assign(file, counted)
  }
  return files
}

interface Counts {
  additions: number
  deletions: number
}

/** Reads `git diff-tree -r -z --numstat`: the lines of each file, by its path as it has become; binary ones have none. */
export const parseCounts = (output: Buffer) => countsOf(output.toString('utf8').split('\0'))

function countsOf(fields: string[]): Map<string, Counts> {
  const counts = new Map<string, Counts>()
  for (let at = 0; at < fields.length; at++) {
    const [added = '-', deleted = '-', ...path] = (fields[at] ?? '').split('\t')
    // A tab may be part of a name.
    let name = path.join('\t')
    if (name === '' && path.length > 0) name = fields[(at += 2)] ?? ''
    if (added !== '-' && name !== '')
      counts.set(name, { additions: Number(added), deletions: Number(deleted) })
  }
  return counts
}

function sideOf(mode: string, oid: string): ChangedBlob | undefined {
  return oid === ABSENT && mode === '000000' ? undefined : { oid, mode: Number.parseInt(mode, 8) }
}
