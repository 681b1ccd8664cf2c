import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serializeCommit, serializeTag } from '../objects/objects.ts'
import type { Oid } from '../objects/oid.ts'
import { WrongSize } from './exactly.ts'
import type { FinishedPack } from './finished-pack.ts'
import { PackWriter } from './pack-writer.ts'
import { bytesOf, git, gitText, sourceOf, withTempDir } from '../testing.ts'
import { MODE, serializeTree, type TreeEntry } from '../objects/tree.ts'

const AT = new Date('2026-01-02T03:04:05Z')
const ADA = { name: 'Ada <Ångström>', email: 'ada@example.org', at: AT, tzMinutes: -330 }

type Folder = Map<string, Buffer | Folder>

const segment = fc.stringMatching(/^[a-zA-Zä0-9][a-zA-Z0-9 ?%:,.*!_-]{0,9}[a-z]$/)
const files = fc.array(
  fc.tuple(
    fc.array(segment, { minLength: 1, maxLength: 4 }),
    fc.uint8Array({ maxLength: 300 }).map(Buffer.from),
  ),
  { maxLength: 40 },
)

function folderOf(entries: [string[], Buffer][]): Folder {
  const root: Folder = new Map()
  for (const [path, content] of entries) {
    let folder = root
    for (const part of path.slice(0, -1)) {
      const next = folder.get(part) ?? new Map<string, Buffer | Folder>()
      folder.set(part, next)
      if (Buffer.isBuffer(next)) break
      folder = next
    }
    const leaf = path.at(-1) ?? ''
    if (!folder.has(leaf)) folder.set(leaf, content)
  }
  return root
}

async function writeFolder(writer: PackWriter, folder: Folder): Promise<Oid> {
  const entries: TreeEntry[] = []
  for (const [name, node] of folder) {
    if (Buffer.isBuffer(node)) {
      entries.push({ mode: MODE.file, name, oid: await writer.addBlob(sourceOf(node), node.length) })
    } else if (node.size > 0) {
      entries.push({ mode: MODE.tree, name, oid: await writeFolder(writer, node) })
    }
  }
  return writer.add('tree', serializeTree(entries))
}

async function install(dir: string, pack: FinishedPack): Promise<string> {
  await mkdir(join(dir, 'objects/pack'), { recursive: true })
  const base = join(dir, 'objects/pack', `pack-${pack.sha1.toString('hex')}`)
  await writeFile(`${base}.pack`, await bytesOf(pack.open()))
  await writeFile(`${base}.idx`, pack.index)
  return base
}

async function indexOfGit(dir: string, packPath: string): Promise<Buffer> {
  const out = join(dir, 'by-git.idx')
  await git(dir, ['index-pack', '--strict', '-o', out, packPath])
  return readFile(out)
}

test('git finds no fault in random trees and writes the same index', async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.string({ unit: 'grapheme' }), async (entries, message) =>
      withTempDir(async (dir) => {
        await git(dir, ['init', '-q', '--bare', '.'])
        const writer = new PackWriter(dir)
        const tree = await writeFolder(writer, folderOf(entries))
        const first = await writer.add(
          'commit',
          serializeCommit({ tree, parents: [], author: ADA, committer: ADA, message }),
        )
        const commit = { tree, parents: [first], author: ADA, committer: ADA, message: 'second' }
        const second = await writer.add('commit', serializeCommit(commit))
        const tag = { object: second, type: 'commit' as const, name: 'v1', tagger: ADA, message: 'A tag' }
        const tagOid = await writer.add('tag', serializeTag(tag))
        const base = await install(dir, await writer.finish())
        await git(dir, ['update-ref', 'refs/heads/main', second.toString('hex')])
        await git(dir, ['update-ref', 'refs/tags/v1', tagOid.toString('hex')])
        expect(await gitText(dir, ['fsck', '--strict', '--full'])).toBe('')
        expect((await indexOfGit(dir, `${base}.pack`)).equals(await readFile(`${base}.idx`))).toBe(true)
        await writer.dispose()
      }),
    ),
    { numRuns: 12 },
  )
})

test('a large blob is streamed in and read back by git', async () => {
  await withTempDir(async (dir) => {
    await git(dir, ['init', '-q', '--bare', '.'])
    const content = Buffer.concat([randomBytes(700_000), Buffer.alloc(2_000_000, 'ab')])
    const writer = new PackWriter(dir)
    const oid = await writer.addBlob(sourceOf(content), content.length)
    expect((await writer.addBlob(sourceOf(content), content.length)).equals(oid)).toBe(true)
    const pack = await writer.finish()
    expect(pack.objects).toBe(1)
    const base = await install(dir, pack)
    expect((await git(dir, ['cat-file', 'blob', oid.toString('hex')])).equals(content)).toBe(true)
    expect((await indexOfGit(dir, `${base}.pack`)).equals(pack.index)).toBe(true)
    await writer.dispose()
  })
})

test.each([
  ['small', 1000],
  ['large', 1_000_000],
])('a %s blob of another length than declared leaves nothing behind', async (_, sizeBytes) => {
  await withTempDir(async (dir) => {
    const writer = new PackWriter(dir)
    const kept = await writer.add('blob', Buffer.from('kept'))
    for (const declared of [sizeBytes - 1, sizeBytes + 1]) {
      await expect(writer.addBlob(sourceOf(randomBytes(sizeBytes)), declared)).rejects.toThrow(WrongSize)
    }
    const pack = await writer.finish()
    const base = await install(dir, pack)
    expect(await gitText(dir, ['verify-pack', '-v', `${base}.idx`])).toContain(kept.toString('hex'))
    expect(pack.objects).toBe(1)
    await writer.dispose()
  })
})

test.each([
  ['in memory', 10, 10],
  ['in a file', 1_200_000, 10],
  ['that has outgrown memory since the mark', 10, 1_200_000],
])('a finished pack %s can be rewound and completed again', async (_, keptBytes, droppedBytes) => {
  await withTempDir(async (dir) => {
    const writer = new PackWriter(dir)
    await writer.add('blob', randomBytes(keptBytes))
    const mark = writer.mark()
    const dropped = await writer.add('blob', randomBytes(droppedBytes))
    await writer.finish()
    await writer.rewind(mark)
    expect(writer.has(dropped)).toBe(false)
    await writer.add('blob', Buffer.from('after'))
    const pack = await writer.finish()
    const base = await install(dir, pack)
    expect((await indexOfGit(dir, `${base}.pack`)).equals(pack.index)).toBe(true)
    expect((await bytesOf(pack.open())).length).toBe(pack.sizeBytes)
    await writer.dispose()
  })
})
