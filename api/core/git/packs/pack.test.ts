import { randomBytes } from 'node:crypto'
import { copyFile, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { expect, test } from 'vitest'
import { CorruptObject, ObjectTooLarge, PackClosed } from '../errors.ts'
import { isHexOid, oidFromHex } from '../objects/oid.ts'
import { Pack, type DeltaBases } from './pack.ts'
import { PackFile } from './pack-file.ts'
import { buildIndex, PackIndex } from './pack-index.ts'
import { PackWriter } from './pack-writer.ts'
import { bytesOf, git, gitText, sourceOf, withTempDir } from '../testing.ts'

const deltaBases = (): DeltaBases =>
  new LRUCache({ maxSize: 2 ** 20, sizeCalculation: ({ content }) => content.length + 1 })

async function openPack(base: string, maxBytes = 2 ** 26): Promise<Pack> {
  return new Pack('p', `${base}.pack`, PackIndex.parse(await readFile(`${base}.idx`)), deltaBases(), maxBytes)
}

/** A repository whose one pack holds delta chains 50 deep, made by real git. */
async function givenDeepPack(dir: string, repackArgs: string[] = []): Promise<string> {
  await git(dir, ['init', '-q', '-b', 'main', '.'])
  const words = Array.from({ length: 400 }, () => randomBytes(9).toString('hex'))
  let stream = ''
  for (let i = 0; i < 120; i++) {
    words[i % words.length] = `changed ${i}`
    const big = words.join('\n')
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${randomBytes(32).toString('hex')}\nsize ${i}\n`
    stream += `commit refs/heads/main\ncommitter A <a@example.org> ${1e9 + i} +0000\ndata 1\nm\n`
    stream += `M 100644 inline data/big.txt\ndata ${Buffer.byteLength(big)}\n${big}\n`
    stream += `M 100644 inline data/p${i}.bin\ndata ${pointer.length}\n${pointer}\n`
  }
  await git(dir, ['fast-import', '--quiet'], stream)
  await git(dir, ['repack', '-adfq', '--depth=250', '--window=50', ...repackArgs])
  const file = (await readdir(join(dir, '.git/objects/pack'))).find((name) => name.endsWith('.pack'))
  return join(dir, '.git/objects/pack', file?.slice(0, -5) ?? '')
}

async function compareWithGit(dir: string, pack: Pack): Promise<number> {
  const lines = (await gitText(dir, ['cat-file', '--batch-all-objects', '--batch-check'])).split('\n')
  for (const line of lines) {
    const [hex = '', type, size] = line.split(' ')
    const offset = pack.find(oidFromHex(hex)) ?? expect.fail(`${hex} not found`)
    expect(pack.stat(offset)).toEqual({ type, sizeBytes: Number(size) })
    const object = await pack.read(offset)
    expect(object.type).toBe(type)
    expect(object.content.equals(await objectOfGit(dir, hex, object.type))).toBe(true)
  }
  return lines.length
}

const seen = new Map<string, Buffer>()
async function objectOfGit(dir: string, hex: string, type: string): Promise<Buffer> {
  if (seen.size === 0) await readAllOfGit(dir)
  return seen.get(hex) ?? git(dir, ['cat-file', type, hex])
}

async function readAllOfGit(dir: string): Promise<void> {
  const all = await git(dir, ['cat-file', '--batch-all-objects', '--batch'])
  for (let at = 0; at < all.length;) {
    const end = all.indexOf('\n', at)
    const [hex = '', , size] = all.toString('latin1', at, end).split(' ')
    expect(isHexOid(hex)).toBe(true)
    seen.set(hex, all.subarray(end + 1, end + 1 + Number(size)))
    at = end + 2 + Number(size)
  }
}

test.each([
  ['offset deltas', []],
  ['deltas by oid', ['-c', 'repack.useDeltaBaseOffset=false']],
])('reads every object of a deeply deltified pack like git cat-file: %s', async (_, config) => {
  await withTempDir(async (dir) => {
    seen.clear()
    const base = await givenDeepPack(dir)
    if (config.length > 0) await git(dir, [...config, 'repack', '-adfq', '--depth=250', '--window=50'])
    const file = (await readdir(join(dir, '.git/objects/pack'))).find((name) => name.endsWith('.pack'))
    const pack = await openPack(file ? join(dir, '.git/objects/pack', file.slice(0, -5)) : base)
    expect(await compareWithGit(dir, pack)).toBe(120 * 5)
    pack.close()
  })
})

test('tells the size of deltas whose content begins behind long tables of codes', async () => {
  await withTempDir(async (dir) => {
    seen.clear()
    await git(dir, ['init', '-q', '-b', 'main', '.'])
    // All printable characters, the first ones more often, so that deflate spells out its own codes.
    const letters = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('')
    const noise = (length: number) =>
      [...randomBytes(2 * length)].flatMap((byte, i) => (i % 2 ? [letters[(byte * byte) % 95]] : [])).join('')
    const common = noise(20_000)
    let stream = ''
    for (let i = 0; i < 20; i++) {
      const text = common + noise(3000)
      stream += `commit refs/heads/main\ncommitter A <a@example.org> ${1e9 + i} +0000\ndata 1\nm\n`
      stream += `M 100644 inline a.txt\ndata ${text.length}\n${text}\n`
    }
    await git(dir, ['fast-import', '--quiet'], stream)
    await git(dir, ['repack', '-adfq'])
    const packs = join(dir, '.git/objects/pack')
    const file = (await readdir(packs)).find((name) => name.endsWith('.pack')) ?? ''
    const pack = await openPack(join(packs, file.slice(0, -5)))
    expect(await compareWithGit(dir, pack)).toBe(60)
    pack.close()
  })
})

test('finds objects through the table of 64-bit offsets', async () => {
  await withTempDir(async (dir) => {
    seen.clear()
    const base = await givenDeepPack(dir)
    // index-pack writes offsets above this limit into the 64-bit table.
    await git(dir, ['index-pack', '--index-version=2,0x400', '-o', join(dir, 'forged.idx'), `${base}.pack`])
    await copyFile(`${base}.pack`, join(dir, 'forged.pack'))
    const forged = await readFile(join(dir, 'forged.idx'))
    expect(forged.length).toBeGreaterThan((await readFile(`${base}.idx`)).length)
    const pack = await openPack(join(dir, 'forged'))
    expect(await compareWithGit(dir, pack)).toBe(120 * 5)
    pack.close()
  })
})

test('writes offsets beyond 2 GiB so that they are found again', () => {
  const entries = [0, 1, 2, 3].map((i) => ({
    oid: Buffer.alloc(20, i),
    offset: 12 + i * 2 ** 30,
    crc: i * 2 ** 30,
  }))
  const index = PackIndex.parse(buildIndex(entries, Buffer.alloc(20, 7)))
  for (const { oid, offset } of entries) expect(index.find(oid)).toBe(offset)
  expect(index.endOf(12 + 2 ** 30, 2 ** 40)).toBe(12 + 2 ** 31)
  expect(index.endOf(12 + 3 * 2 ** 30, 2 ** 40)).toBe(2 ** 40)
  expect(index.find(Buffer.alloc(20, 9))).toBeUndefined()
})

test('streams any range of a large blob', async () => {
  await withTempDir(async (dir) => {
    const content = randomBytes(3_500_000)
    const writer = new PackWriter(dir)
    await writer.add('blob', Buffer.from('first'))
    const oid = await writer.addBlob(sourceOf(content), content.length)
    const { open, index } = await writer.finish()
    const path = join(dir, 'made.pack')
    await writeFile(path, open())
    const pack = new Pack('p', path, PackIndex.parse(index), deltaBases(), 1000)
    const offset = pack.find(oid) ?? expect.fail('not found')
    for (const [from, length] of [
      [0, 3_500_000],
      [1_048_575, 2],
      [0, 0],
      [3_499_999, 10],
      [4_000_000, 5],
    ] as const) {
      const got = await bytesOf(await pack.stream(offset, { offset: from, length }))
      expect(got.equals(content.subarray(from, from + length))).toBe(true)
    }
    expect((await bytesOf(await pack.stream(offset))).equals(content)).toBe(true)
    await expect(pack.read(offset)).rejects.toThrow(ObjectTooLarge)
    pack.close()
    await writer.dispose()
  })
})

test('a pack that is gone is closed; one that cannot be opened is a failure of the disk', async () => {
  await withTempDir(async (dir) => {
    const path = join(dir, 'made.pack')
    await writeFile(path, Buffer.alloc(100))
    const file = new PackFile('p', path)
    await rm(path)
    await expect(file.openAgain()).rejects.toThrow(PackClosed)
    await symlink(path, path)
    await expect(file.openAgain()).rejects.toMatchObject({ code: 'ELOOP' })
    file.close()
  })
})

test('a damaged pack is detected', async () => {
  await withTempDir(async (dir) => {
    const writer = new PackWriter(dir)
    const small = await writer.add('blob', Buffer.from('some words some words some words'))
    const large = await writer.addBlob(sourceOf(Buffer.alloc(900_000, 'words ')), 900_000)
    const { open, index: bytes } = await writer.finish()
    const path = join(dir, 'made.pack')
    await writeFile(path, open())
    const index = PackIndex.parse(bytes)
    const sound = await readFile(path)
    const at = (index.find(small) ?? 0) + 6
    await writeFile(
      path,
      Buffer.concat([sound.subarray(0, at), Buffer.alloc(4, 0xff), sound.subarray(at + 4)]),
    )
    const broken = new Pack('a', path, index, deltaBases(), 2 ** 20)
    await expect(broken.read(index.find(small) ?? 0)).rejects.toThrow(CorruptObject)
    broken.close()
    await truncate(path, 700)
    const short = new Pack('b', path, index, deltaBases(), 2 ** 20)
    await expect(bytesOf(await short.stream(index.find(large) ?? 0))).rejects.toThrow(CorruptObject)
    short.close()
    expect(() => short.stat(12)).toThrow(PackClosed)
    await writer.dispose()
  })
})

test('a damaged index is refused', async () => {
  const index = buildIndex([{ oid: Buffer.alloc(20, 1), offset: 12, crc: 1 }], Buffer.alloc(20, 7))
  for (const at of [0, 8, 40, 1040, index.length - 1]) {
    const damaged = Buffer.from(index)
    damaged[at] = (damaged[at] ?? 0) ^ 0x55
    expect(() => PackIndex.parse(damaged)).toThrow(CorruptObject)
  }
  expect(() => PackIndex.parse(index.subarray(0, 900))).toThrow(CorruptObject)
  expect(() => PackIndex.parse(index, Buffer.alloc(20, 8))).toThrow(CorruptObject)
})
