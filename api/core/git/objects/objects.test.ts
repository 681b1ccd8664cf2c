import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../../../../shared/vocabulary.ts'
import { CorruptObject } from '../errors.ts'
import {
  MAX_MESSAGE_BYTES,
  parseCommit,
  parseTag,
  serializeCommit,
  serializeTag,
  splitMessage,
  type Commit,
} from './objects.ts'
import { EMPTY_TREE, hashObject } from './oid.ts'
import { git, gitText, withTempDir } from '../testing.ts'
import { compareNames, MODE, serializeTree, Tree } from './tree.ts'

const oid = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Buffer.from(bytes))
const word = fc.stringMatching(/^[a-zà-ÿ0-9.'-]([a-zà-ÿ0-9.' -]{0,10}[a-z])?$/)
const person = fc.record({
  name: word,
  email: fc.stringMatching(/^[a-z]{1,8}@[a-z.]{1,9}$/),
  at: fc.integer({ min: 0, max: 4e9 }).map((seconds) => new Date(seconds * 1000)),
  tzMinutes: fc.integer({ min: -14 * 60, max: 14 * 60 }),
})
const commit: fc.Arbitrary<Commit> = fc.record({
  tree: oid,
  parents: fc.array(oid, { maxLength: 3 }),
  author: person,
  committer: person,
  message: fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\r/g, '') + '\n'),
})

test('a commit reads back as it was written', () => {
  fc.assert(
    fc.property(commit, (written) => {
      fc.pre(!written.message.includes('\0'))
      expect(parseCommit(serializeCommit(written))).toEqual(written)
    }),
  )
})

test('a tag reads back as it was written', () => {
  fc.assert(
    fc.property(oid, word, person, (object, name, tagger) => {
      const tag = { object, type: 'commit' as const, name, tagger, message: 'of note\n' }
      expect(parseTag(serializeTag(tag))).toEqual(tag)
    }),
  )
})

test('signed, merged and oddly encoded commits of other tools are read', () => {
  const bytes = Buffer.concat([
    Buffer.from(
      `tree ${'1'.repeat(40)}\nparent ${'2'.repeat(40)}\nauthor J\xf6rg <j@x> 12 +0200\n`,
      'latin1',
    ),
    Buffer.from(
      'committer <> 99999999999999999 -0030\nencoding ISO-8859-1\ngpgsig -----BEGIN\n tree of lies\n -----END\n\n',
    ),
    Buffer.from('gr\xfc\xdfe', 'latin1'),
  ])
  const read = parseCommit(bytes)
  expect(read.author).toEqual({ name: 'Jörg', email: 'j@x', at: new Date(12_000), tzMinutes: 120 })
  expect(read.committer).toEqual({ name: '', email: '', at: new Date(0), tzMinutes: -30 })
  expect(read.message).toBe('grüße')
  expect(read.parents).toHaveLength(1)
})

test('an endless message is cut at a whole character, and unused headers are not kept', () => {
  const head = `tree ${'1'.repeat(40)}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n`
  const signature = `gpgsig ${'x'.repeat(5_000_000)}\n ${'y'.repeat(5_000_000)}\n`
  const { message } = parseCommit(Buffer.from(`${head}${signature}\nx${'é'.repeat(3_000_000)}`))
  expect(message).toMatch(/^xé+$/)
  expect(Buffer.byteLength(message)).toBe(MAX_MESSAGE_BYTES - 1)
  expect(MAX_MESSAGE_BYTES).toBeGreaterThanOrEqual(limits.commitTitle * 4 + limits.commitBodyBytes)
})

test('a date that RFC 3339 cannot write reads as the epoch', () => {
  const at = (seconds: string) =>
    parseCommit(
      Buffer.from(`tree ${'1'.repeat(40)}\nauthor A <a@b> ${seconds} +0000\ncommitter A <a@b> 1 +0000\n\n`),
    ).author.at.toISOString()
  expect(at('253402300799')).toBe('9999-12-31T23:59:59.000Z')
  expect(at('253402300800')).toBe('1970-01-01T00:00:00.000Z')
  expect(at('-62135596800')).toBe('0001-01-01T00:00:00.000Z')
  expect(at('-62135596801')).toBe('1970-01-01T00:00:00.000Z')
})

test('malformed commits and tags are reported as corrupt', () => {
  expect(() => parseCommit(Buffer.from('tree 12\n\n'))).toThrow(CorruptObject)
  expect(() => parseCommit(Buffer.from(''))).toThrow(CorruptObject)
  expect(() => parseTag(Buffer.from(`object ${'1'.repeat(40)}\ntype person\n\n`))).toThrow(CorruptObject)
})

test('subject and body are cut as git log cuts them', async () => {
  await withTempDir(async (dir) => {
    await git(dir, ['init', '-q', '.'])
    for (const message of ['one', 'one\ntwo\n\nthree\n\nfour\n', '\n\nlate\n', 'a  \n \nb']) {
      const hex = await gitText(dir, ['commit-tree', '4b825dc642cb6eb9a060e54bf8d69288fbee4904'], message)
      const [subject = '', ...body] = (await gitText(dir, ['log', '-1', '--format=%s%n%b', hex])).split('\n')
      expect(splitMessage(message)).toEqual({ subject, body: body.join('\n').trimEnd() })
    }
  })
})

test('a subject is joined as soon however many blanks it holds', () => {
  const blanks = ' '.repeat(1_000_000)
  expect(splitMessage(`one${blanks}two \n ${blanks}three`).subject).toBe(`one${blanks}two three`)
})

test('trees are sorted and hashed as git mktree does', async () => {
  await withTempDir(async (dir) => {
    await git(dir, ['init', '-q', '.'])
    const names = ['a/', 'a.b', 'a-b', 'a0', 'b', 'Z/', 'ü', 'a b/', 'ab/']
    const entries = names.map((name) => ({
      mode: name.endsWith('/') ? MODE.tree : MODE.file,
      name: name.replace('/', ''),
      oid: Buffer.alloc(20, name.endsWith('/') ? 1 : 2),
    }))
    const input = entries
      .map(
        ({ mode, name, oid: id }) =>
          `${mode.toString(8)} ${mode === MODE.tree ? 'tree' : 'blob'} ${id.toString('hex')}\t${name}`,
      )
      .join('\n')
    const byGit = await gitText(dir, ['mktree', '--missing'], `${input}\n`)
    expect(hashObject('tree', serializeTree(entries)).toString('hex')).toBe(byGit)
  })
})

test('an entry is found by name whether file or folder', () => {
  const name = fc.stringMatching(/^[a-c.\-0]{1,4}$/)
  fc.assert(
    fc.property(fc.dictionary(name, fc.boolean(), { maxKeys: 20 }), name, (names, absent) => {
      const entries = Object.entries(names).map(([key, isFolder]) => ({
        mode: isFolder ? MODE.tree : MODE.file,
        name: key,
        oid: hashObject('blob', Buffer.from(key)),
      }))
      const tree = Tree.parse(serializeTree(entries))
      expect(tree.length).toBe(entries.length)
      for (const entry of entries) expect(tree.find(entry.name)).toEqual(entry)
      if (!Object.hasOwn(names, absent)) expect(tree.find(absent)).toBeUndefined()
      const listed = [...tree.entries()]
      expect(listed.map((entry) => entry.name).sort()).toEqual(Object.keys(names).sort())
      for (const [i, entry] of listed.slice(1).entries()) {
        const before = listed[i] ?? expect.fail('no entry')
        const order = compareNames(
          Buffer.from(before.name),
          before.mode === MODE.tree,
          Buffer.from(entry.name),
          entry.mode === MODE.tree,
        )
        expect(order).toBeLessThan(0)
      }
    }),
  )
})

test('a malformed tree is refused', () => {
  const good = serializeTree([{ mode: MODE.file, name: 'a', oid: EMPTY_TREE }])
  for (const bad of [
    good.subarray(0, -1),
    Buffer.from('100644 '),
    Buffer.concat([Buffer.from(' a\0'), EMPTY_TREE]),
  ]) {
    expect(() => Tree.parse(bad)).toThrow(CorruptObject)
  }
})
