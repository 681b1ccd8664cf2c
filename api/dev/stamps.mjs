// Whether a build is older than its sources.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './run.mjs'

const skipped = new Set(['node_modules', 'dist', '.git', '.cache'])

/** A hash over the path, size and time of every file below the given files and folders of the repository. */
export function fingerprint(paths) {
  const hash = createHash('sha256')
  for (const path of paths) for (const line of linesOf(join(root, path))) hash.update(line)
  return hash.digest('hex')
}

function* linesOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return
  if (!stat.isDirectory()) yield `${relative(root, path)} ${stat.size} ${stat.mtimeMs}\n`
  else
    for (const name of readdirSync(path).sort())
      if (!skipped.has(name) && !name.includes('.test.')) yield* linesOf(join(path, name))
}

/** A hash over the content of files. */
export function contentHash(paths) {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 16)
}

/** Whether `stamp` was last marked with this very fingerprint. */
export function isFresh(stamp, print) {
  const file = join(root, stamp)
  return statSync(file, { throwIfNoEntry: false }) !== undefined && readFileSync(file, 'utf8') === print
}

export function mark(stamp, print) {
  mkdirSync(dirname(join(root, stamp)), { recursive: true })
  writeFileSync(join(root, stamp), print)
}
