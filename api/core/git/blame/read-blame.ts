import { Turns, type Caller } from '../../../platform/flow/index.ts'
import { unquotePath } from '../quote-path.ts'
import type { BlameRange } from './found-blame.ts'

/**
 * Reads `git blame --incremental` (git-blame, "Incremental output"): for each range, in no order,
 *   <commit> <line there> <line here> <lines>
 * then, the first time that a commit comes, what is known of it; `previous <commit> <path>` where there is one; and
 * `filename <path>` last. Ranges that continue each other are joined.
 */
export async function readBlame(output: Buffer, caller: Caller): Promise<BlameRange[]> {
  const turns = new Turns(caller)
  const found: BlameRange[] = []
  let range = emptyRange()
  let at = 0
  for (let end = output.indexOf(10); end >= 0; end = output.indexOf(10, at)) {
    if (turns.isOver) await turns.next()
    const line = output.toString('utf8', at, end)
    at = end + 1
    const head = /^([0-9a-f]{40}) (\d+) (\d+) (\d+)$/.exec(line)
    if (head) {
      const [commit = '', originalStart, start, count] = head.slice(1)
      range = {
        ...emptyRange(),
        commit,
        originalStart: Number(originalStart),
        start: Number(start),
        count: Number(count),
      }
    } else if (line.startsWith('previous '))
      range.previous = { commit: line.slice(9, 49), path: unquotePath(line.slice(50)) }
    else if (line.startsWith('filename ')) {
      range.originalPath = unquotePath(line.slice(9))
      found.push(range)
    }
  }
  return joined(found.toSorted((a, b) => a.start - b.start))
}

const emptyRange = (): BlameRange => ({
  start: 0,
  count: 0,
  commit: '',
  originalStart: 0,
  originalPath: '',
})

function joined(ranges: BlameRange[]): BlameRange[] {
  const all: BlameRange[] = []
  for (const range of ranges) {
    const last = all.at(-1)
    if (last && continues(last, range)) last.count += range.count
    else all.push(range)
  }
  return all
}

const continues = (last: BlameRange, next: BlameRange) =>
  last.commit === next.commit &&
  last.originalPath === next.originalPath &&
  last.originalStart + last.count === next.originalStart &&
  last.previous?.commit === next.previous?.commit &&
  last.previous?.path === next.previous?.path
