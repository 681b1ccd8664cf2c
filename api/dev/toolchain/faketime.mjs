// libfaketime, which gives a process a clock of its own.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { aptUnpack } from './apt.mjs'
import { cached } from './cache.mjs'

/** Debian's library for LD_PRELOAD. */
export async function ensureFaketime() {
  const folder = await cached('faketime-of-debian', (made) => aptUnpack('libfaketime', made))
  const lib = join(folder, 'usr', 'lib')
  for (const each of readdirSync(lib)) {
    const file = join(lib, each, 'faketime', 'libfaketimeMT.so.1')
    if (readdirSync(join(lib, each)).includes('faketime')) return file
  }
  throw new Error(`no libfaketime in ${lib}`)
}
