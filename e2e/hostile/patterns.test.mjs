import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openTarget } from './target.mjs'

const RULES_BYTES = 64 * 1024
const AT_ONCE = 4

let target
let token
let repo

before(async () => {
  target = await openTarget()
  const admin = await target.login()
  token = await admin.token()
  const name = `patterns-${randomBytes(4).toString('hex')}`
  await admin.native('POST', '/repos', { type: 'model', ns: admin.username, name })
  repo = `${admin.username}/${name}`
})
after(() => target?.stop())

const rules = (line) => line.repeat(Math.floor(RULES_BYTES / line.length))
const stars = '*a'.repeat(60)
const longPaths = (count) =>
  Array.from({ length: count }, (_, i) => `${`${'a'.repeat(240)}/`.repeat(3)}${'a'.repeat(240)}${i}`)

const post = (path, body, type = 'application/json') =>
  fetch(`${target.url}/api/models/${repo}/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
    body,
  })

const ask = (paths, more = {}) =>
  post('preupload/main', JSON.stringify({ files: paths.map((path) => ({ path, size: 5 })), ...more }))

const atOnce = (work) => target.withstand(() => Promise.all(Array.from({ length: AT_ONCE }, work)))

async function refusesRulesOf(answer, file) {
  assert.equal(answer.status, 422)
  const { error } = await answer.json()
  assert.ok(error.startsWith(`${file}: its rules take too long to match`), error)
}

for (const [name, more] of [
  ['gitAttributes', { gitAttributes: rules(`/**/${stars}?b filter=lfs\n`) }],
  ['gitAttributes', { gitAttributes: rules(`${stars}?b filter=lfs\n`) }],
  ['gitIgnore', { gitAttributes: '', gitIgnore: rules(`${stars}?b\n`) }],
  ['gitIgnore', { gitAttributes: '', gitIgnore: rules('?bc/\n') }],
])
  test(`64 KiB of rules in ${name}, such as ${Object.values(more).at(-1).slice(0, 8)}…, end with the reason`, async () => {
    const answers = await atOnce(() => ask(longPaths(500), more))
    for (const answer of answers) await refusesRulesOf(answer, name)
  })

test('rules that a repo holds are named by their file', async () => {
  const files = { '.gitattributes': '', 'deep/.gitattributes': rules(`${stars}?b filter=lfs\n`) }
  const lines = Object.entries(files).map(([path, text]) => ({
    key: 'file',
    value: { path, content: Buffer.from(text).toString('base64'), encoding: 'base64' },
  }))
  const commit = [{ key: 'header', value: { summary: 'rules' } }, ...lines]
  const body = commit.map((line) => JSON.stringify(line)).join('\n')
  const made = await post('commit/main', body, 'application/x-ndjson')
  assert.equal(made.status, 200, await made.text())
  const paths = longPaths(500).map((path) => `deep/${path}`)
  for (const answer of await atOnce(() => ask(paths))) await refusesRulesOf(answer, 'deep/.gitattributes')
})

test('four requests of 25 000 files each are answered by usual rules, and more are refused', async () => {
  const paths = Array.from({ length: 25_000 }, (_, i) => `data/train/part-${i}.${i % 2 ? 'bin' : 'txt'}`)
  const gitAttributes = '*.bin filter=lfs\nsaved_model/**/* filter=lfs\n*tfevents* filter=lfs\n'
  const answers = await atOnce(() => ask(paths, { gitAttributes }))
  for (const answer of answers) {
    assert.equal(answer.status, 200)
    const { files } = await answer.json()
    assert.equal(files.filter(({ uploadMode }) => uploadMode === 'lfs').length, 12_500)
  }
  assert.equal((await ask([...paths, 'one-more'])).status, 400)
})

test('25 000 paths of many folders each are answered', async () => {
  const paths = Array.from({ length: 25_000 }, (_, i) => `${i}/${'abcdefg/'.repeat(60)}f`)
  const answer = await target.withstand(() => ask(paths))
  assert.equal(answer.status, 200)
})

test('a path that no commit takes is refused', async () => {
  assert.equal((await ask(['a/'.repeat(100_000) + 'b'])).status, 422)
})
