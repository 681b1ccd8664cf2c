// An upstream that falls silent in the middle of a file: after a minute its connection is closed, and the file goes on.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bodiesOf } from './between.mjs'
import { download, ended, givenModel, pullingThrough, startApart } from './upstream.mjs'

const MiB = 2 ** 20

let site
let between
before(async () => {
  site = await startApart(pullingThrough)
  ;({ between } = site)
})
after(() => site?.stop())

test('a pull and a reader wait a minute for an upstream that is silent, and get the whole file', async () => {
  const { owner, server } = site
  const pulled = await givenModel(owner, 'pulled', { 'big.bin': 70 * MiB })
  const read = await givenModel(owner, 'read', { 'big.bin': 40 * MiB })
  const silent = new Set()
  let speak = () => undefined
  const silence = new Promise((resolve) => (speak = () => resolve(undefined)))
  between.holds = ({ url, bytes }) => {
    if (!url.endsWith('/big.bin') || bytes < 3 * MiB || silent.has(url)) return undefined
    silent.add(url)
    return silence
  }
  try {
    const person = await server.newPerson('puller')
    const wish = { upstream: 'near', type: 'model', repo: pulled.repo }
    const { id } = await person.native('POST', '/pulls', wish)
    const got = await download(server.url, read.repo, 'main', 'big.bin')
    assert.ok(got.bytes.equals(read.files['big.bin']))
    const job = await ended(person, id)
    assert.equal(job.status, 'succeeded', JSON.stringify(job))
    const kept = await download(server.url, pulled.repo, pulled.commit, 'big.bin')
    assert.ok(kept.bytes.equals(pulled.files['big.bin']))
    // Each fell silent once, and was asked for the rest: the reader's from where it was, the pull's range once more.
    assert.equal(silent.size, 2)
    const [first, second] = bodiesOf(between, `${read.repo}/resolve`)
    assert.equal(first?.range, undefined)
    assert.match(second?.range ?? '', /^bytes=[1-9]\d*-/)
  } finally {
    between.holds = undefined
    speak()
  }
})
