import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachDatabase } from '../../../testing.ts'
import type { FinishedPack } from '../packs/finished-pack.ts'
import { listBrought } from './brought-objects.ts'
import { exportRepository } from '../export.ts'
import { readHeldPack } from '../packs/held-pack.ts'
import { withIncoming } from './incoming.ts'
import { formatEntryHeader } from '../packs/pack-entry.ts'
import { EMPTY_TREE, hashObject, oidFromHex, type ObjectType } from '../objects/oid.ts'
import { isSound } from './sound-objects.ts'
import { spool } from '../runner/spool.ts'
import { PackRefused, type PackOrigin } from './take-by-git.ts'
import { git, givenCommit, givenEmptyRepo, gitText, sourceOf, withTempDir } from '../testing.ts'
import { serializeEntry } from '../objects/tree.ts'

type Made = [type: ObjectType, content: Buffer, declaredBytes?: number]

/** A pack of these objects as they are, with the sizes they are declared to have. */
function packOf(objects: Made[]): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  head.writeUInt32BE(objects.length, 8)
  const entries = objects.flatMap(([type, content, declaredBytes = content.length]) => [
    formatEntryHeader(type, declaredBytes),
    deflateSync(content),
  ])
  const body = Buffer.concat([head, ...entries])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

const PERSON = 'Ada <ada@example.org> 1700000000 +0000'
const hex = ([type, content]: Made) => hashObject(type, content).toString('hex')
const commitOf = (
  tree: string,
  parents: string[] = [],
  headers = `author ${PERSON}\ncommitter ${PERSON}\n`,
): Made => [
  'commit',
  Buffer.from(
    `tree ${tree}\n${parents.map((oid) => `parent ${oid}\n`).join('')}${headers}\nmade\n`,
    'latin1',
  ),
]
const blob: Made = ['blob', Buffer.from('a file\n')]
const treeOf = (...entries: [mode: number, name: string, oid: string][]): Made => [
  'tree',
  Buffer.concat(
    entries.map(([mode, name, oid]) => serializeEntry(mode, Buffer.from(name), Buffer.from(oid, 'hex'))),
  ),
]
const nowhere = 'ab'.repeat(20)

eachDatabase('a small push', (world) => {
  /** Takes a pack for the tip; whether no git was needed, what came of it and what the tip brings. */
  async function taken(repoId: string, bytes: Buffer, tip: string, origin?: PackOrigin) {
    const { git: engine } = world.deps
    const pack = await spool(sourceOf(bytes), engine.store.tempDir, 2 ** 24)
    if (pack === 'too-large') expect.fail(pack)
    const { signal } = new AbortController()
    return withIncoming(engine, await engine.openFresh(repoId), signal, async (incoming) => {
      const made = await incoming.take(pack, [tip], origin).catch((error: unknown) => {
        if (error instanceof PackRefused) return error.message
        throw error
      })
      if (typeof made === 'string') return { made }
      return { made, listed: await incoming.list([tip]), index: made && (await indexesAlike(made)) }
    })
  }

  /** git's own index of the pack that was written. */
  const indexesAlike = (pack: FinishedPack) =>
    withTempDir(async (dir) => {
      await writeFile(join(dir, 'made.pack'), pack.open())
      await git(dir, ['index-pack', '-o', join(dir, 'made.idx'), join(dir, 'made.pack')])
      return (await readFile(join(dir, 'made.idx'))).equals(pack.index)
    })

  test('without an e-mail or a name in a commit is refused to a person, and kept of an upstream', async () => {
    const repoId = await givenEmptyRepo(world)
    const tree = treeOf([0o100644, 'a', hex(blob)])
    const without = {
      missingEmail: 'Ada',
      missingNameBeforeEmail: '<a@b.c>',
      missingSpaceBeforeEmail: 'Ada<a@b.c>',
    }
    for (const [fault, who] of Object.entries(without)) {
      const lines = `author ${who} 1700000000 +0000\ncommitter ${who} 1700000000 +0000\n`
      const made = commitOf(hex(tree), [], lines)
      const pack = packOf([blob, tree, made])
      expect((await taken(repoId, pack, hex(made))).made).toContain(fault)
      expect((await taken(repoId, pack, hex(made), 'upstream')).made).toMatchObject({ objects: 3 })
    }
    // What is no matter of taste stays refused.
    const broken = commitOf(hex(tree), [], `author ${PERSON}\n`)
    const refused = await taken(repoId, packOf([blob, tree, broken]), hex(broken), 'upstream')
    expect(refused.made).toContain('missingCommitter')
  })

  test('of commits, folders and thin deltas is taken without git, and lists what git lists', async () => {
    const repoId = await givenEmptyRepo(world)
    const lines = Array.from({ length: 400 }, (_, i) => `line ${i}`).join('\n')
    await givenCommit(world, repoId, {
      puts: { 'a/b/text': lines, 'a/c': 'c', kept: 'k', '.gitattributes': '* -text\n' },
    })
    await withTempDir(async (dir) => {
      await exportRepository(world.deps.git, repoId, join(dir, 'repo'))
      const repo = join(dir, 'repo')
      const base = await gitText(repo, ['rev-parse', 'main'])
      const from = `commit refs/heads/main\ncommitter ${PERSON}\ndata 1\nm\n`
      const change = (text: string) => `M 100644 inline a/b/text\ndata ${text.length}\n${text}\n`
      const stream = [
        `${from}from refs/heads/main^0\n${change(`${lines}\none`)}C a/c copied\nM 100755 inline run\ndata 1\nr\n`,
        `${from}${change(`${lines}\ntwo`)}D a/c\nM 120000 inline link\ndata 3\nrun\n`,
      ]
      await git(repo, ['fast-import', '--quiet'], stream.join('\n'))
      const tip = await gitText(repo, ['rev-parse', 'main'])
      const revs = `${tip}\n^${base}\n`
      const pack = await git(
        repo,
        ['pack-objects', '--revs', '--thin', '--stdout', '--delta-base-offset', '-q'],
        revs,
      )
      const { made, listed, index } = await taken(repoId, pack, tip)
      expect(made).toMatchObject({ objects: pack.readUInt32BE(8) })
      expect(index).toBe(true)
      const names = await gitText(repo, ['rev-list', '--objects', tip, `^${base}`])
      const oids = new Set(listed?.map(({ oid }) => oid))
      for (const line of names.split('\n')) expect(oids).toContain(line.slice(0, 40))
      expect(listed).toContainEqual(expect.objectContaining({ path: 'copied', sizeBytes: 1, type: 'blob' }))
    })
  })

  test('that is not clearly in order is left to git', async () => {
    const repoId = await givenEmptyRepo(world)
    const head = await givenCommit(world, repoId, { puts: { a: '1', '.gitattributes': '* -text\n' } })
    const snapshot = await world.deps.git.openFresh(repoId)
    const clear = async (objects: Made[], tip: string) => {
      const held = await readHeldPack(packOf(objects), async () => undefined)
      return held && listBrought(snapshot, held, [tip])
    }
    const root = (await snapshot.reader.findCommit(oidFromHex(head)))?.tree.toString('hex') ?? ''
    const tag: Made = ['tag', Buffer.from(`object ${head}\ntype commit\ntag t\ntagger ${PERSON}\n\nt\n`)]
    const file = (name: string, oid = hex(blob), mode = 0o100644) => treeOf([mode, name, oid])
    const withTree = (tree: Made, ...more: Made[]): Made[] => [commitOf(hex(tree), [head]), tree, ...more]
    const two = (a: string, b: string) => treeOf([0o100644, a, hex(blob)], [0o100644, b, hex(blob)])
    const withHeaders = (headers: string): Made[] => [
      commitOf(hex(file('x')), [head], headers),
      file('x'),
      blob,
    ]
    const cases: Record<string, Made[]> = {
      'a missing blob': withTree(file('x', nowhere)),
      'a missing folder': withTree(file('x', nowhere, 0o40000)),
      'a missing parent': [commitOf(root, [nowhere])],
      'a missing second parent': [commitOf(root, [head, nowhere])],
      'a parent that is a tag': [commitOf(root, [hex(tag)]), tag],
      'a parent that is a tree': [commitOf(root, [root])],
      'a tree that is a commit': [commitOf(head, [head])],
      'a folder that is a file': withTree(file('x', hex(blob), 0o40000), blob),
      'a file that is a folder': withTree(file('x', root)),
      'a tag': [tag],
      'an object twice': [...withTree(file('x'), blob), blob],
      'names out of order': withTree(two('y', 'x'), blob),
      'a name twice': withTree(two('x', 'x'), blob),
      'a file and a folder of one name': withTree(
        treeOf([0o100644, 'x', hex(blob)], [0o100644, 'x.y', hex(blob)], [0o40000, 'x', root]),
        blob,
      ),
      'no oid': withTree(file('x', '0'.repeat(40))),
      'a mode of another kind': withTree(file('x', hex(blob), 0o100666), blob),
      'a mode with a zero before it': withTree(
        ['tree', Buffer.concat([Buffer.from('0'), file('x')[1]])],
        blob,
      ),
      'half an entry': withTree(['tree', file('x')[1].subarray(0, -1)], blob),
      'a name that is no Unicode': withTree(['tree', Buffer.from(file('x\u00ff')[1]).fill(0xff, 8, 9)], blob),
      'no author': withHeaders(`committer ${PERSON}\n`),
      'two authors': withHeaders(`author ${PERSON}\nauthor ${PERSON}\ncommitter ${PERSON}\n`),
      'an author without a date': withHeaders(`author Ada <a@b>\ncommitter ${PERSON}\n`),
      'a date with a zero before it': withHeaders(`author Ada <a@b> 01 +0000\ncommitter ${PERSON}\n`),
      'an address that opens twice': withHeaders(`author Ada <<a@b> 1 +0000\ncommitter ${PERSON}\n`),
      'a NUL in the message': withHeaders(`author ${PERSON}\ncommitter ${PERSON}\n\n\0`),
    }
    for (const name of ['.', '..', '.git', '.GIT', 'git~1', '.git. ', 'a/b', 'a\\b', '', '.gitmodules'])
      cases[`the name ${JSON.stringify(name)}`] = withTree(file(name), blob)
    const longLine: Made = ['blob', Buffer.from(`* ${'x'.repeat(2046)}\n`)]
    cases['attributes in a line that is too long'] = withTree(file('.gitattributes', hex(longLine)), longLine)
    cases['attributes in a link'] = withTree(file('.gitattributes', hex(blob), 0o120000), blob)
    for (const [what, objects] of Object.entries(cases)) {
      const tip = objects[0] ? hex(objects[0]) : ''
      expect(await clear(objects, tip), what).toBeUndefined()
    }
    const fine = withTree(file('x'), blob)
    const tip = hex(commitOf(hex(file('x')), [head]))
    expect(await clear(fine, tip)).toHaveLength(3)
    expect((await taken(repoId, packOf(fine), tip)).listed).toHaveLength(3)
    const unreached: Made[] = [...fine, ['blob', Buffer.from('more')]]
    expect((await taken(repoId, packOf(unreached), tip)).listed).toBeUndefined()
  })

  test('of attributes, and of a commit whose parents an upstream left out, is taken without git', async () => {
    const repoId = await givenEmptyRepo(world)
    const snapshot = await world.deps.git.openFresh(repoId)
    const attributes: Made = ['blob', Buffer.from('*.bin filter=lfs diff=lfs merge=lfs -text\n')]
    const root = treeOf([0o100644, '.gitattributes', hex(attributes)], [0o100644, 'x', hex(blob)])
    const commit = commitOf(hex(root), [nowhere])
    const objects = [commit, root, attributes, blob]
    const held = await readHeldPack(packOf(objects), async () => undefined)
    const listed = held && (await listBrought(snapshot, held, [hex(commit)], new Set([hex(commit)])))
    expect(listed?.map(({ oid }) => oid)).toEqual(objects.map(hex))
    expect(held && (await listBrought(snapshot, held, [hex(commit)]))).toBeUndefined()
  })

  test('of a few bytes that ask for much memory is refused before git takes any', async () => {
    const repoId = await givenEmptyRepo(world)
    const base: Made = ['blob', Buffer.alloc(2 ** 20)]
    const varint = (n: number): number[] => (n < 0x80 ? [n] : [(n & 0x7f) | 0x80, ...varint(n >>> 7)])
    // As often as it takes: copy 1 MiB of the base.
    const copies = Array.from({ length: 500 }, () => [0xc0, 0x10]).flat()
    const delta = Buffer.from([...varint(2 ** 20), ...varint(500 * 2 ** 20), ...copies])
    const entry = formatEntryHeader('blob', delta.length)
    // A REF_DELTA's type in place of a blob's.
    entry[0] = ((entry[0] ?? 0) & 0x8f) | 0x70
    const grown = Buffer.concat([entry, Buffer.from(hex(base), 'hex'), deflateSync(delta)])
    const head = packOf([base]).subarray(0, -20)
    head.writeUInt32BE(2, 8)
    const body = Buffer.concat([head, grown])
    const bomb = Buffer.concat([body, createHash('sha1').update(body).digest()])
    const tooLarge = 'the pack has an object that is too large'
    expect((await taken(repoId, bomb, nowhere)).made).toBe(tooLarge)
    const declared = packOf([['tree', Buffer.from('x'), 2 ** 32]])
    expect((await taken(repoId, declared, nowhere)).made).toBe(tooLarge)
  })

  test('on a commit that no ref leads to directly is left to git', async () => {
    const repoId = await givenEmptyRepo(world)
    const first = await givenCommit(world, repoId, { puts: { a: '1' } })
    await givenCommit(world, repoId, { puts: { a: '2' } })
    const tree = treeOf([0o100644, 'x', hex(blob)])
    const tip = commitOf(hex(tree), [first])
    const { made, listed } = await taken(repoId, packOf([tip, tree, blob]), hex(tip))
    expect(made).toMatchObject({ objects: 3 })
    expect(listed).toBeUndefined()
  })
})

test('a small pack is inflated no further than it declares, and not at all beyond what is small', async () => {
  const find = async () => undefined
  const zeros = Buffer.alloc(16 * 1024 * 1024)
  const before = process.memoryUsage().arrayBuffers
  for (const declaredBytes of [10, 1024 * 1024, zeros.length, 2 ** 40])
    expect(await readHeldPack(packOf([['blob', zeros, declaredBytes]]), find)).toBeUndefined()
  expect(await readHeldPack(packOf([['blob', Buffer.alloc(10), 20]]), find)).toBeUndefined()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024)
  const whole = packOf([blob])
  expect(await readHeldPack(whole, find)).toBeDefined()
  for (const cut of [0, 5, 12, 30, whole.length - 1])
    expect(await readHeldPack(whole.subarray(0, cut), find)).toBeUndefined()
})

/** Changes a few bytes, or moves a part. */
const damage = fc.array(
  fc.record({
    at: fc.nat(),
    by: fc.constantFrom(1, 2, 0x20, 0x2e, 0x80),
    of: fc.constantFrom('byte', 'cut', 'twice'),
  }),
  { minLength: 1, maxLength: 3 },
)

test('what passes without git, git’s strict check passes as well', async () => {
  const sound: Made[] = [
    commitOf(EMPTY_TREE.toString('hex')),
    commitOf(nowhere, [nowhere, nowhere]),
    treeOf(
      [0o100644, 'a', nowhere],
      [0o40000, 'a.b', nowhere],
      [0o100755, 'git~2', nowhere],
      [0o120000, 'z', nowhere],
    ),
    treeOf([0o40000, '.gitx', nowhere], [0o160000, 'a', nowhere], [0o100644, 'é', nowhere]),
  ]
  const passed = new Map<string, Made>()
  fc.assert(
    fc.property(fc.constantFrom(...sound), damage, ([type, content], wounds) => {
      let bytes = Buffer.from(content)
      for (const { at, by, of } of wounds) {
        const i = at % bytes.length
        if (of === 'byte') bytes[i] = (bytes[i] ?? 0) ^ by
        else if (of === 'cut') bytes = Buffer.concat([bytes.subarray(0, i), bytes.subarray(i + 1)])
        else bytes = Buffer.concat([bytes.subarray(0, i + 1), bytes.subarray(i)])
      }
      if (isSound({ type, content: bytes })) passed.set(hex([type, bytes]), [type, bytes])
    }),
    { numRuns: 4000 },
  )
  expect(passed.size).toBeGreaterThan(100)
  await withTempDir(async (dir) => {
    await git(dir, ['init', '-q', '--bare', '.'])
    await git(dir, ['index-pack', '--stdin'], packOf([...passed.values()]))
    // What they refer to is not there.
    const said = await gitText(dir, ['fsck', '--strict', '--no-dangling']).catch(String)
    expect(said).not.toMatch(/^(?:error|warning) in (?!.*broken links)/m)
  })
})
