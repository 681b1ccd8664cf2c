import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { formatEntryHeader } from '../packs/pack-entry.ts'
import { git, gitText, sourceOf, withTempDir } from '../testing.ts'
import { weighPack } from './weigh-pack.ts'

/** A pack of blobs: what each is declared to have, and what follows. */
function packOf(entries: [declaredBytes: number, deflated: Buffer][]): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  head.writeUInt32BE(entries.length, 8)
  const body = Buffer.concat([
    head,
    ...entries.flatMap(([n, bytes]) => [formatEntryHeader('blob', n), bytes]),
  ])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

const blob = (content: Buffer): [number, Buffer] => [content.length, deflateSync(content)]

/** A pack that git has made: folders, large and small files, deltas small and large. */
async function givenPack(dir: string): Promise<Buffer> {
  await git(dir, ['init', '-q', '-b', 'main', '.'])
  const lines = Array.from({ length: 12_000 }, () => randomBytes(6).toString('hex'))
  const put = (name: string, text: string) => `M 644 inline ${name}\ndata ${text.length}\n${text}\n`
  let stream = put('large', 'y'.repeat(700_000))
  for (let n = 0; n < 12; n++) {
    if (n === 6)
      lines.splice(0, 6000, ...lines.slice(0, 6000).map((line) => randomBytes(9).toString('hex') + line))
    lines[n * 7] = `changed ${n}`
    const head = `commit refs/heads/main\ncommitter a <a@b> ${n} +0000\ndata 1\nx\n`
    stream = (n === 0 ? head + stream : stream + head) + put('text', lines.join('\n')) + put(`f/${n}`, `${n}`)
  }
  await git(dir, ['fast-import', '--quiet'], stream)
  await git(dir, ['repack', '-adfq', '--depth=50'])
  const names = await readdir(join(dir, '.git/objects/pack'))
  return readFile(join(dir, '.git/objects/pack', names.find((name) => name.endsWith('.pack')) ?? ''))
}

/** What git says of its only pack: objects, and deltas beside what they make. */
async function weightByGit(dir: string): Promise<number> {
  const names = await readdir(join(dir, '.git/objects/pack'))
  const index = join('.git/objects/pack', names.find((name) => name.endsWith('.idx')) ?? '')
  const sizes = await gitText(dir, [
    'cat-file',
    '--batch-all-objects',
    '--batch-check=%(objectname) %(objectsize)',
  ])
  const made = new Map(sizes.split('\n').map((line) => [line.slice(0, 40), Number(line.slice(41))]))
  let weight = 0
  // Of a delta the third column is its own size, and the sixth its depth (git-verify-pack).
  for (const line of (await gitText(dir, ['verify-pack', '-v', index])).split('\n')) {
    const [, oid = '', size, depth] =
      /^([0-9a-f]{40}) \w+ +(\d+) \d+ \d+(?: (\d+) [0-9a-f]{40})?$/.exec(line) ?? []
    if (size !== undefined) weight += Number(size) + (depth === undefined ? 0 : (made.get(oid) ?? 0))
  }
  return weight
}

test('a pack weighs what its objects inflate to, and its deltas with what they make', async () => {
  await withTempDir(async (dir) => {
    const pack = await givenPack(dir)
    const weight = await weightByGit(dir)
    expect(weight).toBeGreaterThan(2_000_000)
    for (const chunkBytes of [999, 65_536, 2 ** 24]) {
      expect(await weighPack(sourceOf(pack, chunkBytes), weight)).toBe('fine')
      expect(await weighPack(sourceOf(pack, chunkBytes), weight - 1)).toBe('too-much')
    }
    for (const length of [0, 11, 40, pack.length >> 1])
      expect(await weighPack(sourceOf(pack.subarray(0, length)), weight)).toBe('damaged')
  })
})

test('a content is inflated no further than its header declares, and not at all when that is too much', async () => {
  const bomb = Buffer.alloc(2 ** 26)
  const light = 2 ** 20
  expect(await weighPack(sourceOf(packOf([blob(bomb)])), 2 ** 26)).toBe('fine')
  expect(await weighPack(sourceOf(packOf([blob(bomb)])), light)).toBe('too-much')
  expect(await weighPack(sourceOf(packOf([[2 ** 40, Buffer.alloc(0)]])), light)).toBe('too-much')
  for (const declaredBytes of [1000, 2 ** 20, 2 ** 26 - 1])
    expect(await weighPack(sourceOf(packOf([[declaredBytes, deflateSync(bomb)]])), 2 ** 26)).toBe('damaged')
  for (const declaredBytes of [1000, 2 ** 20])
    expect(
      await weighPack(sourceOf(packOf([[declaredBytes, deflateSync(Buffer.alloc(999))]])), 2 ** 26),
    ).toBe('damaged')
})

test('contents whose streams end where a chunk ends, or that another writer has cut into many blocks', async () => {
  const stored = (content: Buffer): [number, Buffer] => [content.length, deflateSync(content, { level: 0 })]
  const pieces = [stored(randomBytes(300_000)), stored(randomBytes(100_000)), blob(Buffer.alloc(0))]
  const pack = packOf(pieces)
  for (let bytes = 299_900; bytes < 300_100; bytes += 1)
    expect(await weighPack(sourceOf(pack, bytes), 400_000)).toBe('fine')
  expect(await weighPack(sourceOf(pack), 399_999)).toBe('too-much')
})
