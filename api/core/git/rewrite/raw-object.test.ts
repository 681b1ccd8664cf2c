import { expect, test } from 'vitest'
import { gitText, withTempDir } from '../testing.ts'
import { oidFromHex } from '../objects/oid.ts'
import { rewriteCommit, rewriteTag } from './raw-object.ts'

const oid = (digit: string) => digit.repeat(40)
const ada = 'Ada <ada@example.org> 1700000000 +0130'
const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n tree of lies\n -----END PGP SIGNATURE-----\n'

const commit = (headers: string, message = 'One\n\ntree of words\n') =>
  Buffer.from(
    `tree ${oid('1')}\n${headers}author ${ada}\ncommitter ${ada}\n${message && `\n${message}`}`,
    'latin1',
  )

function rewritten(content: Buffer, parents: Record<string, string> = {}): string {
  return rewriteCommit(content, oidFromHex(oid('2')), (parent) => parents[parent]).toString('latin1')
}

test('a commit keeps people, dates, unknown headers and message, byte by byte', () => {
  const message = 'Caf\xe9\n\n  parent of words \r\n\n\n'
  const before = commit(`parent ${oid('a')}\nparent ${oid('b')}\n`, message)
    .toString('latin1')
    .replace(`\n\n${message}`, `\nencoding ISO-8859-1\nfuture thing\n and more\n\n${message}`)
  expect(rewritten(Buffer.from(before, 'latin1'), { [oid('b')]: oid('c') })).toBe(
    before.replace(oid('1'), oid('2')).replace(oid('b'), oid('c')),
  )
})

test('a commit loses its signature, and the signed tag of a parent', () => {
  const tag = `mergetag object ${oid('b')}\n type commit\n tag v1\n \n parent ${oid('d')}\n`
  const plain = commit(`parent ${oid('a')}\n`).toString('latin1')
  const signed = plain.replace('\n\nOne', `\n${tag}${signature}\nOne`)
  expect(rewritten(Buffer.from(signed, 'latin1'))).toBe(plain.replace(oid('1'), oid('2')))
})

test('parents that became one are named once', () => {
  const parents = { [oid('a')]: oid('c'), [oid('b')]: oid('c') }
  const now = rewritten(commit(`parent ${oid('a')}\nparent ${oid('b')}\n`), parents)
  expect(now.match(/^parent /gm)).toHaveLength(1)
})

test('a commit without a message stays without one', () => {
  expect(rewritten(commit('', ''))).toBe(commit('', '').toString('latin1').replace(oid('1'), oid('2')))
})

test('a tag names the new commit and loses its signature alone', async () => {
  const head = `object ${oid('a')}\ntype commit\ntag v1\ntagger ${ada}\n\n`
  const words = 'First\n\nsays -----BEGIN PGP SIGNATURE----- in between\n'
  const end = '-----BEGIN SSH SIGNATURE-----\nabc\n-----END SSH SIGNATURE-----\n'
  const now = rewriteTag(Buffer.from(`${head}${words}${end}`), oidFromHex(oid('b'))).toString()
  expect(now).toBe(`${head.replace(oid('a'), oid('b'))}${words}`)
  await withTempDir(async (dir) => {
    await gitText(dir, ['init', '-q', '.'])
    expect(await gitText(dir, ['hash-object', '-t', 'tag', '--literally', '--stdin'], now)).toMatch(
      /^[0-9a-f]{40}$/,
    )
  })
})
