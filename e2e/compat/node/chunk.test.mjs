// Uploads by chunks of the JavaScript hub client, which asks the LFS batch first; 2.2.0 cannot and sends files whole.
import assert from 'node:assert/strict'
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { openServer } from './server.mjs'

const MIB = 1024 * 1024
const entry = new URL(process.env.HUB_CLIENT, 'file:')
const hub = await import(entry.href)
const { version } = JSON.parse(readFileSync(new URL('../package.json', entry), 'utf8'))
const hasChunks = Number(version.split('.')[1]) >= 17
const usual = hasChunks ? ['chunks'] : ['whole']
const sha256 = (data) => createHash('sha256').update(data).digest('hex')

/** One server with settings, somebody on it, and what a test asks of both. */
class Place {
  async open(settings) {
    this.server = await openServer(settings)
    this.person = await this.server.newPerson('js')
    this.token = await this.person.token()
    return this
  }

  async repo() {
    const repo = { type: 'model', name: `${this.person.username}/js-${randomBytes(4).toString('hex')}` }
    await hub.createRepo({ hubUrl: this.server.url, accessToken: this.token, repo, private: true })
    return repo
  }

  upload(repo, contents) {
    const files = Object.entries(contents).map(([path, data]) => ({ path, content: new Blob([data]) }))
    return hub.uploadFiles({ hubUrl: this.server.url, accessToken: this.token, repo, files, useXet: true })
  }

  /** Uploads, and answers by which ways the bytes came. */
  async waysOf(repo, contents) {
    const mark = this.server.log().length
    await this.upload(repo, contents)
    return waysIn(this.server.log().slice(mark))
  }

  async check(repo, contents) {
    for (const [path, data] of Object.entries(contents)) {
      const url = `${this.server.url}/${repo.name}/resolve/main/${path.split('/').map(encodeURIComponent).join('/')}`
      const answer = await fetch(url, { headers: { Authorization: `Bearer ${this.token}` } })
      assert.equal(answer.headers.get('x-xet-hash'), null)
      assert.equal(sha256(Buffer.from(await answer.arrayBuffer())), sha256(data), path)
      const client = await hub.downloadFile({ hubUrl: this.server.url, accessToken: this.token, repo, path })
      assert.equal(sha256(Buffer.from(await client.arrayBuffer())), sha256(data), path)
    }
  }

  async close() {
    await this.server.agree()
    await this.server.stop()
  }
}

function waysIn(log) {
  const asked = log.split('\n').filter((line) => line.includes('"msg":"request"') && line.endsWith('}'))
  const made = asked.map((line) => JSON.parse(line)).filter(({ status }) => status < 400)
  const ways = [
    { name: 'chunks', method: 'POST', path: /^\/chunk-cas\/.*\/shards$/ },
    // To us, or by a signed address into the bucket.
    { name: 'whole', method: 'PUT', path: /^\/api\/info\/lfs\/|[?&]X-Amz-Signature=/ },
  ]
  return ways
    .filter(({ method, path }) => made.some((each) => each.method === method && path.test(each.path)))
    .map(({ name }) => name)
}

/** Bytes that no compression shortens, the same in every run. */
function noise(sizeBytes, seed) {
  const key = createHash('sha256').update(String(seed)).digest()
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(sizeBytes))
}

/** Lines that a compressor shortens to a third or so, the same in every run. */
function text(sizeBytes) {
  const words = Array.from({ length: 256 }, (_, i) => noise(6, `word ${i}`).toString('hex'))
  const line = (i) => Array.from(noise(80, `line ${i}`), (at) => words[at]).join(' ')
  const lines = Array.from({ length: 2000 }, (_, i) => line(i)).join('\n')
  let made = ''
  for (let i = 0; made.length < sizeBytes; i++) made += `${i}\n${lines.slice(i * 977)}`
  return Buffer.from(made.slice(0, sizeBytes))
}

describe(`@huggingface/hub ${version}`, () => {
  const place = new Place()
  before(() => place.open())
  after(() => place.close())

  const sizes = [0, 1, 8191, 8192, 8193, 65_537, 131_071, 131_072, 131_073]
  const common = noise(3 * MIB, 'common')
  const cases = {
    'one file': { 'weights.bin': noise(12 * MIB, 'one') },
    'files of every border size': Object.fromEntries(sizes.map((n) => [`in a/${n} ü.bin`, noise(n, n)])),
    'duplicates and zeros': {
      'a.bin': common,
      'b.bin': common,
      'c.bin': Buffer.concat([common, common, noise(MIB, 'own')]),
      'zeros.bin': Buffer.alloc(12 * MIB),
    },
    'text that fills more than one container': { 'corpus.txt': text(100 * MIB) },
    'more bytes than a container holds': { 'large.bin': noise(70 * MIB, 'large') },
  }
  for (const [title, contents] of Object.entries(cases))
    test(`${title}: up and down`, async () => {
      const repo = await place.repo()
      assert.deepEqual(await place.waysOf(repo, contents), usual)
      await place.check(repo, contents)
    })

  test('a change of what is there already', async () => {
    const repo = await place.repo()
    await place.upload(repo, { 'a.bin': common })
    const changed = Buffer.from(common)
    changed.fill(7, MIB, MIB + 1000)
    assert.deepEqual(await place.waysOf(repo, { 'b.bin': changed }), usual)
    await place.check(repo, { 'a.bin': common, 'b.bin': changed })
  })
})

describe(`@huggingface/hub ${version} where chunks are refused`, () => {
  const place = new Place()
  before(() => place.open({ 'hubapi.chunk': 'reject' }))
  after(() => place.close())

  test('sends files whole by itself', async () => {
    const repo = await place.repo()
    const contents = { 'weights.bin': noise(11 * MIB, 'refused') }
    assert.deepEqual(await place.waysOf(repo, contents), ['whole'])
    await place.check(repo, contents)
  })
})

describe(`@huggingface/hub ${version} at a limit of 1 MiB`, () => {
  const place = new Place()
  before(() => place.open({ 'chunk.max_file_size': '1MiB', 'lfs.multipart_threshold': '8MiB' }))
  after(() => place.close())

  test('sends what is larger whole, and in parts', async () => {
    const repo = await place.repo()
    const contents = { 'small.bin': noise(9999, 'small'), 'large.bin': noise(40 * MIB, 'limit') }
    assert.deepEqual(await place.waysOf(repo, contents), ['whole'])
    await place.check(repo, contents)
  })

  test('says why a manifest of too many new bytes is refused', async () => {
    const repo = await place.repo()
    const names = Array.from({ length: 40 }, (_, i) => `${i}.bin`)
    const contents = Object.fromEntries(names.map((name) => [name, noise(MIB, name)]))
    if (hasChunks) await assert.rejects(place.upload(repo, contents), /four times chunk\.max_file_size/)
    else await place.upload(repo, contents)
  })
})
