import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { eachDatabase } from '../../../testing.ts'
import { hasDeeperDeltas } from './delta-depth.ts'
import { readPack } from './finished-pack.ts'
import { withIncoming } from '../push/incoming.ts'
import { PackRefused } from '../push/take-by-git.ts'
import { spool } from '../runner/spool.ts'
import { givenEmptyRepo, gitText, sourceOf, withTempDir } from '../testing.ts'

/** A pack of one blob of four bytes and `depth` deltas, each on the one before; bases named by distance or by oid. */
function deepPack(depth: number, byOid: boolean): Buffer {
  const contentOf = (n: number) => {
    const content = Buffer.alloc(4)
    content.writeUInt32BE(n)
    return content
  }
  const oidOf = (n: number) => createHash('sha1').update('blob 4\0').update(contentOf(n)).digest()
  const count = Buffer.alloc(4)
  count.writeUInt32BE(depth + 1)
  const first = Buffer.concat([Buffer.from([0x34]), deflateSync(contentOf(0))])
  const parts = [Buffer.from('PACK\0\0\0\x02'), count, first]
  for (let n = 1, distance = first.length; n <= depth; n++) {
    // Source of 4 bytes, result of 4 bytes, insert these 4.
    const delta = deflateSync(Buffer.concat([Buffer.from([4, 4, 4]), contentOf(n)]))
    const base = byOid ? oidOf(n - 1) : Buffer.from([distance])
    const entry = Buffer.concat([Buffer.from([byOid ? 0x77 : 0x67]), base, delta])
    distance = entry.length
    parts.push(entry)
  }
  const bytes = Buffer.concat(parts)
  return Buffer.concat([bytes, createHash('sha1').update(bytes).digest()])
}

test.each([
  ['distance', false],
  ['oid', true],
])('chains of deltas on a base named by %s are measured', async (_, byOid) => {
  await withTempDir(async (dir) => {
    const bytes = deepPack(40, byOid)
    const sha1 = bytes.subarray(-20).toString('hex')
    const path = join(dir, `pack-${sha1}.pack`)
    await writeFile(path, bytes)
    await gitText(dir, ['index-pack', path])
    const pack = await readPack(dir, sha1)
    expect(pack.objects).toBe(41)
    expect(await hasDeeperDeltas(pack, 39)).toBe(true)
    expect(await hasDeeperDeltas(pack, 40)).toBe(false)
  })
})

eachDatabase('a push', (world) => {
  test('of deltas too deep to be read again is refused', async () => {
    const snapshot = await world.deps.git.openFresh(await givenEmptyRepo(world))
    const { signal } = new AbortController()
    const take = (depth: number) =>
      withIncoming(world.deps.git, snapshot, signal, async (incoming) => {
        const pack = await spool(sourceOf(deepPack(depth, false)), world.dir, 2 ** 24)
        return incoming.take(pack === 'too-large' ? expect.fail(pack) : pack, [])
      })
    await expect(take(4096)).rejects.toThrow(PackRefused)
    expect(await take(4095)).toMatchObject({ objects: 4096 })
  })
})
