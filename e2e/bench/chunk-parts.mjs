// The steps that no upload by chunks can skip, measured one by one: the least a server needs.
import { Blake3Hasher } from '@napi-rs/blake-hash'
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { cpuOf, median, run } from './measure.mjs'
import { gibibyte, opensslSeconds } from './upload.mjs'

const receiver = fileURLToPath(new URL('receive.py', import.meta.url))
const rounds = 3
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

/** The parts of an upload of `file`, which has a GiB: their sum in CPU seconds, and what to say of them below the table. */
export async function chunkParts(file) {
  const measured = []
  for (let i = 0; i < rounds; i++)
    measured.push({
      receiving: Number((await run('python3', [receiver, file])).stdout),
      sha256: await opensslSeconds(),
      blake3: blake3Seconds(),
      disk: await diskSeconds(file, `${file}.copy`),
    })
  const of = (part) => median(measured.map((one) => one[part]))
  const least = of('receiving') + of('sha256') + of('blake3') + of('disk')
  const note = [
    'The parts of an upload by chunks, each alone, in CPU seconds per GiB: receiving over loopback into one piece of',
    `memory ${of('receiving').toFixed(2)}, BLAKE3 of chunks of 64 KiB ${of('blake3').toFixed(2)},`,
    `SHA-256 ${of('sha256').toFixed(2)}, writing twice and reading once past the page cache ${of('disk').toFixed(2)}.`,
    `No server that checks each chunk, keeps the container and makes a plain object of the file takes less than ${least.toFixed(2)}.`,
  ].join('\n')
  return { least, note }
}
