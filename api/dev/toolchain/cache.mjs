// Where tools for the tests are kept between runs and clones.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const cacheDir = process.env.ARSENAL_CACHE ?? join(homedir(), '.cache', 'arsenal-dev')

/**
 * A folder of the cache that `fill` has filled once. It is filled where it will stay, for Python environments hold
 * their own path; a mark at the end tells a whole one from the rest of a cut run.
 */
export async function cached(name, fill) {
  const folder = join(cacheDir, name)
  const mark = `${folder}.complete`
  if (existsSync(mark)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await fill(folder)
  writeFileSync(mark, '')
  return folder
}
