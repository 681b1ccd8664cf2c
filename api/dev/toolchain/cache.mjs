// Where tools for the tests are kept between runs and clones.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

export const cacheDir = process.env.ARSENAL_CACHE ?? join(homedir(), '.cache', 'arsenal-dev')

/**
 * A folder of the cache that `fill` has filled once. It is filled where it will stay, for Python environments hold
 * their own path; a mark at the end tells a whole one from the rest of a cut run.
 */
export function cached(name, fill) {
  // Stages run side by side, and some need the same tool: one of them would remove what the other fills.
  const asked = asks.get(name) ?? fillOnce(name, fill)
  asks.set(name, asked)
  return asked
}

/** Name → what has been asked for in this run. */
const asks = new Map()

async function fillOnce(name, fill) {
  const folder = join(cacheDir, name)
  const mark = `${folder}.complete`
  if (existsSync(mark)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await fill(folder)
  writeFileSync(mark, '')
  return folder
}
