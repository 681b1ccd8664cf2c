import { askGit, tooBusy } from './ask-git.ts'
import { keyOf, type DiffOptions } from './options.ts'
import type { ChangedBlob, FileChange } from './file-change.ts'
import type { DiffLine, FileDiff, Hunk } from './hunk.ts'
import type { Finding } from './remembered.ts'
import type { Git } from '../git.ts'
import type { Snapshot } from '../snapshot.ts'
import { MODE } from '../objects/tree.ts'

/** Larger files, longer ones, and those whose difference is, are not compared line by line. */
export const MAX_DIFF_BYTES = 1024 * 1024
export const MAX_DIFF_LINES = 20_000
// Git's own rule for binary files (xdiff-interface.c, buffer_is_binary).
export const BINARY_PROBE_BYTES = 8000
const CONTEXT_LINES = 3

/** The hunks of one file that `diffCommit` listed. Problem `temporarily-unavailable`. */
export async function diffFile(
  git: Git,
  snapshot: Snapshot,
  change: FileChange,
  options: DiffOptions = {},
): Promise<FileDiff> {
  const sides = [change.old, change.new]
  const hasNoText = sides.some(
    (side) => side && (side.facts?.pointer !== undefined || side.mode === MODE.gitlink),
  )
  if (hasNoText || change.old?.oid === change.new?.oid) return none({})
  if (sides.some((side) => (side?.facts?.sizeBytes ?? 0) > MAX_DIFF_BYTES)) return none({ isTooLarge: true })
  const key = `${snapshot.repoId}:${change.old?.oid}:${change.new?.oid}${keyOf(options)}`
  return git.fileDiffs.get(key, snapshot.caller, (all) =>
    compare(git, snapshot.readFor(all), change, options),
  )
}

async function compare(
  git: Git,
  snapshot: Snapshot,
  { old: before, new: after }: FileChange,
  { ignoresWhitespace }: DiffOptions,
): Promise<Finding<FileDiff>> {
  const [old, now] = await Promise.all([contentOf(snapshot, before), contentOf(snapshot, after)])
  const final = (value: FileDiff) => ({ value, isFinal: true })
  if (isBinary(old) || isBinary(now)) return final(none({ isBinary: true }))
  if (countNewlines(old) > MAX_DIFF_LINES || countNewlines(now) > MAX_DIFF_LINES)
    return final(none({ isTooLarge: true }))
  if (!before || !after) return final({ ...none({}), hunks: wholeFile(old ? 'delete' : 'add', old ?? now) })
  const options = ['--no-ext-diff', '--no-textconv', '--no-color', `-U${CONTEXT_LINES}`]
  if (ignoresWhitespace) options.push('--ignore-all-space')
  const said = await askGit(git, snapshot, ['diff', ...options, before.oid, after.oid], MAX_DIFF_BYTES)
  if (said === 'busy') throw tooBusy()
  if (said === 'too-much') return { value: none({ isTooLarge: true }), isFinal: false }
  if (countNewlines(said) > MAX_DIFF_LINES) return final(none({ isTooLarge: true }))
  return final({ ...none({}), hunks: parseHunks(said.toString('utf8')), totalLines: countLines(now) })
}

function none(reason: Partial<FileDiff>): FileDiff {
  return { hunks: [], isBinary: false, isTooLarge: false, ...reason }
}

async function contentOf(snapshot: Snapshot, side: ChangedBlob | undefined): Promise<Buffer | undefined> {
  return side && snapshot.readBlob(side.oid, MAX_DIFF_BYTES)
}

/** Whether git takes the content for binary, by its beginning. */
export function isBinary(content: Buffer | undefined): boolean {
  return content !== undefined && content.subarray(0, BINARY_PROBE_BYTES).includes(0)
}

function countNewlines(content: Buffer | undefined): number {
  let lines = 0
  for (let at = content?.indexOf(10) ?? -1; at >= 0; at = content?.indexOf(10, at + 1) ?? -1) lines++
  return lines
}

/** Lines of a text, with the last one, which may have no newline. */
export function countLines(content: Buffer | undefined): number {
  return countNewlines(content) + (content && content.length > 0 && content.at(-1) !== 10 ? 1 : 0)
}

function wholeFile(kind: 'add' | 'delete', content: Buffer | undefined): Hunk[] {
  const text = content?.toString('utf8') ?? ''
  if (text === '') return []
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text)
    .split('\n')
    .map((line) => ({ kind, text: line }))
  const here = { start: 1, count: lines.length }
  const absent = { start: 0, count: 0 }
  const [old, now] = kind === 'delete' ? [here, absent] : [absent, here]
  return [{ oldStart: old.start, oldLines: old.count, newStart: now.start, newLines: now.count, lines }]
}

const KINDS: Record<string, DiffLine['kind']> = { ' ': 'context', '+': 'add', '-': 'delete' }

/** Reads the hunks of one file's unified diff; a count left out is 1. */
function parseHunks(diff: string): Hunk[] {
  const hunks: Hunk[] = []
  for (const line of diff.split('\n')) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
    const hunk = hunks.at(-1)
    const kind = KINDS[line[0] ?? '']
    if (head) {
      const [oldStart = 0, oldLines = 1, newStart = 0, newLines = 1] = head
        .slice(1)
        .map((n) => (n === undefined ? undefined : Number(n)))
      hunks.push({ oldStart, oldLines, newStart, newLines, lines: [] })
    } else if (hunk && kind) hunk.lines.push({ kind, text: line.slice(1) })
  }
  return hunks
}
