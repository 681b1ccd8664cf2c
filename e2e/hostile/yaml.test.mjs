import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { openTarget } from './target.mjs'

const run = promisify(execFile)
const KIB_64 = 64 * 1024
const AT_ONCE = 8

let target
let admin
let token
let dir

before(async () => {
  target = await openTarget()
  admin = await target.login()
  token = await admin.token()
  dir = await mkdtemp(join(tmpdir(), 'arsenal-hostile-'))
})
after(async () => {
  await target?.stop()
  if (dir) await rm(dir, { recursive: true, force: true })
})

/** Text of almost 64 KiB made of pieces. */
function long(piece) {
  let text = ''
  for (let i = 0; text.length < KIB_64 - 200; i++) text += piece(i)
  return text
}

/** Aliases of aliases, twenty of each: 10^13 values. */
const laughs = `a: &a [${'x, '.repeat(20)}x]\n${[...'bcdefghij']
  .map((key, i) => `${key}: &${key} [${`*${'abcdefghij'[i]}, `.repeat(20)}1]`)
  .join('\n')}`

// Each is made unlike the others of its kind, so that nothing is answered from memory.
const cards = {
  'short keys': (seed) => long((i) => `${seed}${i.toString(36)}:\n`),
  'keys of a flow map': (seed) => `{${long((i) => `${seed}${i.toString(36)},`)}}`,
  'nested brackets': (seed) => `${seed}: ${long(() => '[')}`,
  commas: (seed) => `${seed}: [${long(() => ',')}`,
  'aliases of aliases': (seed) => `${laughs}\nz: ${seed}\n${long(() => '# filler\n').slice(0, 60_000)}`,
  'anchors and aliases': (seed) => long((i) => `- &${seed}${i} 1\n- *${seed}${i}\n`),
}
const readmeOf = (name) => `---\n${cards[name](`k${randomBytes(2).toString('hex')}`)}\n---\n# Hi\n`

/** @param {Record<string, string>} [headers] */
const check = (content, headers = { Authorization: `Bearer ${token}` }) =>
  fetch(`${target.url}/api/validate-yaml`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ content, repoType: 'model' }),
  })

async function newRepo() {
  const name = `cards-${randomBytes(4).toString('hex')}`
  await admin.native('POST', '/repos', { type: 'model', ns: admin.username, name })
  return name
}

for (const name of Object.keys(cards))
  test(`64 KiB of ${name}, ${AT_ONCE} at once, are checked and leave others served`, async () => {
    const answers = await target.withstand(() =>
      Promise.all(Array.from({ length: AT_ONCE }, () => check(readmeOf(name)))),
    )
    for (const answer of answers) {
      assert.ok([200, 400].includes(answer.status), `answered ${answer.status}`)
      const { errors, warnings } = await answer.json()
      assert.equal(answer.status === 400, errors.length > 0)
      assert.ok(errors.length <= 20 && warnings.length <= 20)
    }
  })

test('cards of anonymous callers are not parsed where anonymous reading is off', async () => {
  const answer = await check(readmeOf('nested brackets'), {})
  assert.equal(answer.status, 200)
  assert.match((await answer.json()).warnings[0].message, /not checked/)
})

test('a README of each kind can be committed, and its repo is shown', async () => {
  const name = await newRepo()
  await target.withstand(async () => {
    for (const kind of Object.keys(cards)) {
      const content = Buffer.from(readmeOf(kind)).toString('base64')
      const lines = [
        { key: 'header', value: { summary: kind } },
        { key: 'file', value: { path: 'README.md', content, encoding: 'base64' } },
      ]
      const answer = await fetch(`${target.url}/api/models/${admin.username}/${name}/commit/main`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
        body: lines.map((line) => JSON.stringify(line)).join('\n'),
      })
      assert.equal(answer.status, 200, await answer.text())
    }
  })
  const shown = await admin.native('GET', `/repos/models/${admin.username}/${name}`)
  assert.equal(shown.name, name)
})

test('a README of each kind can be pushed', async () => {
  const name = await newRepo()
  const folder = join(dir, name)
  const url = target.url.replace('//', `//${admin.username}:${token}@`)
  const git = (...args) => run('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args])
  await run('git', ['clone', '-q', `${url}/${admin.username}/${name}`, folder])
  await target.withstand(async () => {
    for (const kind of Object.keys(cards)) {
      await writeFile(join(folder, 'README.md'), readmeOf(kind))
      await git('add', '.')
      await git('commit', '-q', '-m', kind)
      await git('push', '-q')
    }
  })
})
