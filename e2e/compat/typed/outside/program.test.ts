// A program of somebody who installed the typed client: `run.mjs` copies it out of the workspace, compiles and runs it.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ApiProblem, createClient, type Client, type Fetch, type Repo } from '@arsenal/shared/client'
import {
  completeUpload,
  download,
  fetchPut,
  fileUrl,
  hashBlob,
  partTargets,
  sendParts,
} from '@arsenal/shared/transfer'
import { nameFault } from '@arsenal/shared/vocabulary'

const setting = (name: string) => {
  const value = process.env[name]
  assert.ok(value, `${name} is set`)
  return value
}
const baseUrl = setting('ARSENAL_URL')
const username = setting('ARSENAL_USER')
const repo = { type: 'models', ns: username, name: `typed-${randomBytes(4).toString('hex')}` } as const
const weights = randomBytes(40 * 1024 * 1024 + 5)
const sha256 = createHash('sha256').update(weights).digest('hex')
let token: string
let client: Client

/** `fetch` that keeps the cookies of one server, as a browser does. */
function fetchWithCookies(): Fetch {
  const jar = new Map<string, string>()
  return async (input, init) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(input, { ...init, headers: { ...init?.headers, cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    return response
  }
}

async function problemOf(call: Promise<unknown>): Promise<ApiProblem> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ApiProblem, `an ApiProblem is thrown, not ${String(error)}`)
  return error
}

before(async () => {
  const csrf: { token?: string | undefined } = {}
  const session = createClient({ baseUrl, fetch: fetchWithCookies(), csrfToken: () => csrf.token })
  assert.equal(await session.getMe(), undefined)
  const me = await session.login({ body: { username, password: setting('ARSENAL_PASSWORD') } })
  assert.ok(!('ticket' in me), 'no second factor is asked for')
  csrf.token = me.csrf_token
  const made = await session.createToken({ body: { name: 'typed', scopes: ['write'] } })
  token = made.secret
  client = createClient({ baseUrl, token })
})

test('says who the token belongs to', async () => {
  const me = await client.getMe()
  assert.equal(me?.username, username)
  assert.deepEqual(me?.auth.scopes, ['write'])
})

test('creates a repo and lists it', async () => {
  assert.equal(nameFault(repo.name), undefined)
  const made: Repo = await client.createRepo({
    body: { type: 'model', ns: repo.ns, name: repo.name, licence: 'mit' },
  })
  assert.equal(made.full_name, `${repo.ns}/${repo.name}`)
  const { items } = await client.listRepos({ query: { ns: username, type: 'models', limit: 10 } })
  assert.ok(items.some((found) => found.id === made.id))
})

test('commits small files and reads the history', async () => {
  const { commit, changed } = await client.createCommit({
    params: repo,
    body: {
      title: 'Add the configuration',
      operations: [
        { op: 'add', path: 'config.json', text: '{"layers": 2}\n' },
        { op: 'add', path: 'a folder/ü.bin', content: Buffer.from([0, 1, 255]).toString('base64') },
      ],
    },
  })
  assert.ok(changed)
  const { items } = await client.listCommits({ params: repo, query: { path: 'config.json' } })
  assert.deepEqual(
    items.map(({ sha, title }) => ({ sha, title })),
    [{ sha: commit, title: 'Add the configuration' }],
  )
})

test('uploads a large file in parts, goes on after a break, and commits it', async () => {
  await writeFile('weights.bin', weights)
  const file = await openAsBlob('weights.bin')
  const described = { path: 'weights.safetensors', size: file.size, sha256: await hashBlob(file) }
  assert.equal(described.sha256, sha256)
  const plan = await client.planUploads({ params: repo, body: { files: [described] } })
  const upload = plan.files[0]?.upload
  assert.ok(upload && upload.parts.length > 2)
  const put = fetchPut({ headers: { authorization: `Bearer ${token}` } })
  const first = { partSize: upload.part_size, targets: upload.parts.slice(0, 1), put }
  await sendParts({ file, ...first })
  const held = await client.getUpload({ params: { ...repo, id: upload.id } })
  assert.deepEqual(
    held.parts.map(({ n }) => n),
    [1],
  )
  const progress: number[] = []
  const parts = await sendParts({
    file,
    partSize: held.part_size,
    targets: partTargets(repo, held, baseUrl),
    stored: held.parts,
    put,
    onProgress: (doneBytes) => progress.push(doneBytes),
  })
  assert.equal(progress.at(-1), file.size)
  const done = await completeUpload(client, repo, upload.id, parts)
  assert.equal(done.status, 'complete')
  await client.createCommit({
    params: repo,
    body: {
      title: 'Add the weights',
      operations: [{ op: 'add', path: described.path, lfs: { sha256, size: file.size } }],
    },
  })
})

test('plans nothing for a file that the server holds already', async () => {
  const files = [{ path: 'again.safetensors', size: weights.length, sha256 }]
  const plan = await client.planUploads({ params: repo, body: { files } })
  assert.equal(plan.files[0]?.mode, 'skip')
})

test('lists the tree', async () => {
  const tree = await client.getTree({ params: { ...repo, rev: 'main' }, query: { recursive: 'true' } })
  const paths = new Map(tree.entries.map((entry) => [entry.path, entry]))
  assert.equal(paths.get('weights.safetensors')?.lfs?.sha256, sha256)
  assert.equal(paths.get('a folder/ü.bin')?.size, 3)
  const folder = await client.getTreePath({ params: { ...repo, rev: 'main', path: 'a folder' } })
  assert.deepEqual(
    folder.entries.map(({ name }) => name),
    ['ü.bin'],
  )
})

test('downloads what it uploaded, whole and by range', async () => {
  const url = baseUrl + fileUrl(repo, 'main', 'weights.safetensors')
  const whole = Buffer.from(await (await download(url, { token })).arrayBuffer())
  assert.ok(whole.equals(weights))
  const part = await download(url, { token, range: [10, 19] })
  assert.ok(Buffer.from(await part.arrayBuffer()).equals(weights.subarray(10, 20)))
  const small = await download(baseUrl + fileUrl(repo, 'main', 'a folder/ü.bin'), { token })
  assert.deepEqual([...new Uint8Array(await small.arrayBuffer())], [0, 1, 255])
})

test('addresses a branch whose name has a slash', async () => {
  await client.createBranch({ params: repo, body: { name: 'feat/typed' } })
  const tree = await client.getTree({ params: { ...repo, rev: 'feat/typed' } })
  assert.ok(tree.entries.some(({ path }) => path === 'config.json'))
  const { branches } = await client.getRefs({ params: repo })
  assert.deepEqual(branches.map(({ name }) => name).sort(), ['feat/typed', 'main'])
})

test('throws what the server refuses, with its code', async () => {
  const absent = await problemOf(client.getRepo({ params: { ...repo, name: 'absent' } }))
  assert.deepEqual([absent.status, absent.code], [404, 'repo-not-found'])
  assert.ok(absent.requestId)
  const twin = await problemOf(client.createRepo({ body: { type: 'model', ns: repo.ns, name: repo.name } }))
  assert.deepEqual([twin.status, twin.code], [409, 'name-taken'])
  const faulty = await problemOf(
    client.createRepo({ body: { type: 'model', ns: repo.ns, name: 'no--twice' } }),
  )
  assert.equal(faulty.status, 422)
  assert.equal(faulty.errors[0]?.field, 'name')
  const file = await problemOf(download(baseUrl + fileUrl(repo, 'main', 'absent.txt'), { token }))
  assert.deepEqual([file.status, file.code], [404, 'entry-not-found'])
  const bad = await problemOf(createClient({ baseUrl, token: 'hf_asl_wrong' }).getMe())
  assert.equal(bad.status, 401)
})

test('does what the example of the README says', async () => {
  await writeFile('weights.safetensors', weights)
  process.env['HF_TOKEN'] = token
  await import(pathToFileURL('out/node/example.js').href)
  const tiny = { type: 'models', ns: username, name: 'tiny' } as const
  const { items } = await client.listCommits({ params: tiny })
  assert.equal(items[0]?.title, 'Add a model')
})

test('deletes the repo', async () => {
  await client.deleteRepo({ params: repo })
  assert.equal((await problemOf(client.getTree({ params: { ...repo, rev: 'main' } }))).status, 404)
})
