// The steps that no upload by chunks can skip, measured one by one: the least a server needs.
import { Blake3Hasher } from '@napi-rs/blake-hash'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { cpuOf, run } from './measure.mjs'
import { gibibyte, opensslSeconds } from './upload.mjs'

const receiver = fileURLToPath(new URL('receive.py', import.meta.url))
/** Where both clients cut on average (chunk-upload.md §6). */
const chunkBytes = 64 * 1024

/** CPU seconds that BLAKE3 takes for a GiB in chunks, by the addon that the server uses. */
function blake3Seconds() {
  const memory = randomBytes(64 * 2 ** 20)
  const hasher = Blake3Hasher.newKeyed(Buffer.alloc(32))
  const before = process.cpuUsage()
  for (let done = 0; done < gibibyte; done += memory.length)
    for (let at = 0; at < memory.length; at += chunkBytes) {
      hasher.update(memory.subarray(at, at + chunkBytes))
      hasher.digest('hex')
      hasher.reset()
    }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** CPU seconds of two writings and one reading of the file past the page cache. */
async function diskSeconds(file, target) {
  const reading = await cpuOf('dd', [`if=${file}`, 'of=/dev/null', 'bs=2M', 'iflag=direct'])
  const copying = await cpuOf('dd', [`if=${file}`, `of=${target}`, 'bs=2M', 'iflag=direct', 'oflag=direct'])
  await rm(target)
  return 2 * copying - reading
}

/** The parts of an upload of `file`, which has a GiB, each alone in CPU seconds, and their sum: the least a server needs. */
export async function chunkParts(file) {
  const parts = {
    receiving: Number((await run('python3', [receiver, file])).stdout),
    sha256: await opensslSeconds(),
    blake3: blake3Seconds(),
    disk: await diskSeconds(file, `${file}.copy`),
  }
  return { ...parts, least: parts.receiving + parts.sha256 + parts.blake3 + parts.disk }
}
