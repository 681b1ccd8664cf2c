import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { GgufBytes, ggufFile } from '../../core/parsers/testing/samples.ts'
import { givenCommit, add } from '../../rooms/content/testing.ts'
import type { Repo } from '../../rooms/repos/index.ts'
import { updateRepo } from '../../rooms/repos/index.ts'
import { storeObject } from '../../rooms/uploads/receive/store-object.ts'
import { fromChunks } from '../../stores/storage/index.ts'
import {
  eachRedirectingStore,
  eachStore,
  givenRepo,
  givenToken,
  givenUser,
  type World,
} from '../../testing.ts'
import { hubOver, type HubClient } from '../hub/testing.ts'

const chatml = "{{ '<|im_start|>' + message.role }}{{ '<|im_end|>' }}"
const write = new GgufBytes()

/** A model with one tensor; `seed` makes its bytes differ. */
function ggufModel({ quant = 15, template = chatml, seed = 0 } = {}): Buffer {
  const file = ggufFile({
    keys: [
      ['general.architecture', 8, write.string('llama')],
      ['general.file_type', 4, write.u32(quant)],
      ['tokenizer.chat_template', 8, write.string(template)],
    ],
    tensors: [{ name: 'w', shape: [1024], type: 0, offset: 0 }],
    data: 4096,
  })
  file[file.length - 1] = seed
  return file
}

/** A LoRA adapter, whose name may tell a quant as that of a model does. */
function ggufAdapter(seed = 0): Buffer {
  const file = ggufFile({
    keys: [
      ['general.architecture', 8, write.string('llama')],
      ['general.type', 8, write.string('adapter')],
    ],
    tensors: [{ name: 'w.lora_a', shape: [32], type: 0, offset: 0 }],
    data: 128,
  })
  file[file.length - 1] = seed
  return file
}

const shaOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function givenFile(world: World, owner: UserActor, repo: Repo, path: string, bytes: Buffer) {
  const sha256 = shaOf(bytes)
  const content = { sha256, sizeBytes: bytes.length }
  await storeObject(world.ctx(owner), { repoId: repo.id, userId: owner.id }, content, fromChunks(bytes))
  await givenCommit(world, owner, repo, [{ op: 'add-lfs', path, ...content }])
  return sha256
}

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const wire = Buffer.concat([part(Buffer.from('ssh-ed25519')), part(raw)]).toString('base64')
  return { privateKey, wire, line: `ssh-ed25519 ${wire} me@laptop` }
}

/** The query and header that `ollama` asks `/v2/token` with. */
function signed(
  key: { privateKey: KeyObject; wire: string },
  { ts, nonce, host = 'http://localhost:8080' }: { ts: number; nonce: string; host?: string },
) {
  const query = `nonce=${nonce}&scope=repository%3Aada%2Fm%3Apull&service=arsenal&ts=${ts}`
  const empty = Buffer.from(createHash('sha256').digest('hex')).toString('base64')
  const text = `GET,${host}/v2/token?${query},${empty}`
  const signature = sign(null, Buffer.from(text), key.privateKey).toString('base64')
  return { path: `/v2/token?${query}`, headers: { Authorization: `${key.wire}:${signature}` } }
}

interface Manifest {
  config: { digest: string; size: number }
  layers: { mediaType: string; digest: string; size: number }[]
  ggufFile?: { rfilename: string; blobId: string }
}

const kindsOf = ({ layers }: Manifest) => layers.map(({ mediaType }) => mediaType.split('.').at(-1))

eachStore('the model registry', (world) => {
  let ada: UserActor
  let repo: Repo
  let model: Buffer
  let sha256 = ''
  let client: HubClient
  let stranger: HubClient
  let visitor: HubClient
  let clientOf: (credentials: Record<string, string>) => HubClient
  const at = () => `/v2/${repo.ns}/${repo.name}`
  const now = () => Math.floor(world.clock.now.getTime() / 1000)
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    repo = await givenRepo(world, ada)
    model = ggufModel()
    sha256 = await givenFile(world, ada, repo, 'tiny-Q4_K_M.gguf', model)
    await givenFile(world, ada, repo, 'tiny-Q8_0.gguf', ggufModel({ seed: 1 }))
    const hub = hubOver(world)
    clientOf = hub.clientOf
    visitor = hub.visitor
    client = await hub.as(ada)
    stranger = await hub.as(await givenUser(world, 'stranger'))
  })

  const follow = async (who: HubClient, digest: string, headers: Record<string, string> = {}) => {
    const first = await who.get(`${at()}/blobs/${digest}`)
    expect(first.status).toBe(307)
    const url = new URL(first.header('location') ?? '')
    const path = `${url.pathname}${url.search}`
    return { path, answer: await visitor.get<string>(path, headers) }
  }

  test('answers its version to everybody and takes no pushes', async () => {
    expect(await visitor.get('/v2/')).toMatchObject({ status: 200, body: {} })
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect(await client.send(method, `${at()}/blobs/uploads/`)).toMatchObject({
        status: 405,
        body: { error: expect.stringContaining('no pushes') },
      })
  })

  test('a manifest names the model by its SHA-256, with template and parameters of a known format', async () => {
    const { status, body, header } = await client.get<Manifest>(`${at()}/manifests/q4_k_m`)
    expect(status).toBe(200)
    expect(header('vary')).toContain('User-Agent')
    expect(header('docker-content-digest')).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(kindsOf(body)).toEqual(['model', 'template', 'params'])
    expect(body.layers[0]).toMatchObject({ digest: `sha256:${sha256}`, size: model.length })
    const config = await follow(client, body.config.digest)
    expect(config.answer.status).toBe(200)
    expect(JSON.parse(config.answer.body)).toMatchObject({
      model_family: 'llama',
      model_type: '1K',
      file_type: 'Q4_K_M',
    })
    const params = await follow(client, body.layers[2]?.digest ?? '')
    expect(JSON.parse(params.answer.body)).toEqual({ stop: ['<|im_start|>', '<|im_end|>'] })
    expect((await client.get<Manifest>(`${at()}/manifests/latest`)).body).toEqual(body)
    expect((await client.get<Manifest>(`${at()}/manifests/tiny-Q4_K_M.gguf`)).body).toEqual(body)
  })

  test('the one adapter beside a model is a layer of it and no tag; of two, none is', async () => {
    const own = await givenRepo(world, ada)
    await givenFile(world, ada, own, 'tiny-Q4_K_M.gguf', ggufModel({ seed: 7 }))
    const sha256 = await givenFile(world, ada, own, 'style-lora-F16.gguf', ggufAdapter())
    const path = `/v2/ada/${own.name}/manifests`
    const { body } = await client.get<Manifest>(`${path}/latest`)
    expect(kindsOf(body)).toEqual(['model', 'adapter', 'template', 'params'])
    expect(body.layers[1]).toMatchObject({ digest: `sha256:${sha256}` })
    expect(await client.get(`${path}/F16`)).toMatchObject({ status: 400 })
    await givenFile(world, ada, own, 'other-lora-F16.gguf', ggufAdapter(1))
    const { body: later } = await client.get<Manifest>(`${path}/latest`)
    expect(kindsOf(later)).toEqual(['model', 'template', 'params'])
  })

  test('HEAD of a manifest has the headers of its GET, with the type that ollama asks for', async () => {
    const path = `${at()}/manifests/latest`
    const [got, head] = [await client.get<Manifest>(path), await client.send<string>('HEAD', path)]
    for (const { status, header } of [got, head]) {
      expect(status).toBe(200)
      expect(header('content-type')).toBe('application/vnd.docker.distribution.manifest.v2+json')
      expect(header('docker-content-digest')).toBe(got.header('docker-content-digest'))
      expect(header('content-length')).toBe(got.header('content-length'))
    }
    expect(head.body).toBeFalsy()
    expect((await client.send('HEAD', `${at()}/manifests/Q2_K`)).status).toBe(400)
  })

  test('a repo without GGUF is refused with the reason', async () => {
    const bare = await givenRepo(world, ada)
    expect(await client.get(`/v2/ada/${bare.name}/manifests/latest`)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('no GGUF file') },
    })
  })

  test('HEAD of a blob is never compressed, whatever its client takes', async () => {
    const { secret } = await givenToken(world, ada, { scopes: ['read'] })
    const packing = clientOf({ Authorization: `Bearer ${secret}`, 'Accept-Encoding': 'gzip, br' })
    const { body } = await client.get<Manifest>(`${at()}/manifests/latest`)
    for (const { digest, size } of [body.config, ...body.layers]) {
      const { status, header } = await packing.send('HEAD', `${at()}/blobs/${digest}`)
      expect([status, header('content-length'), header('content-encoding')]).toEqual([
        200,
        String(size),
        null,
      ])
    }
  })

  test('a user saves at most 20 keys', async () => {
    const keeper = await hubOver(world).as(await givenUser(world, 'keeper'))
    const save = (n: number) =>
      keeper.send<{ id: string }>('POST', '/api/service/v1/me/ollama-keys', {
        name: `key ${n}`,
        public_key: newKey().line,
      })
    const saved = []
    for (let n = 1; n <= 20; n++) saved.push(await save(n))
    expect(saved.map(({ status }) => status)).toEqual(saved.map(() => 201))
    expect(await save(21)).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'public_key', code: 'too-many' }] },
    })
    await keeper.send('DELETE', `/api/service/v1/me/ollama-keys/${saved[0]?.body.id}`)
    expect((await save(22)).status).toBe(201)
  })

  test('an unknown tag is refused with those there are', async () => {
    expect(await client.get(`${at()}/manifests/Q2_K`)).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/no tag "Q2_K".*Q4_K_M/) },
    })
  })

  test('files of the repo win over what is built, and a chat template with other tokens has no layer', async () => {
    const own = await givenRepo(world, ada)
    const tools = `${chatml}<tool_call>`
    await givenCommit(world, ada, own, [
      { op: 'add', path: 'small.gguf', content: ggufModel({ template: tools }) },
    ])
    const path = `/v2/ada/${own.name}/manifests/latest`
    const bare = (await client.get<Manifest>(path)).body
    expect(kindsOf(bare)).toEqual(['model'])
    await givenCommit(world, ada, own, [
      add('template', '{{ .Prompt }}'),
      add('system', 'Be brief.'),
      add('params', '{"temperature":0}'),
      add('LICENSE', 'Apache-2.0'),
    ])
    const full = (await client.get<Manifest>(path)).body
    expect(kindsOf(full)).toEqual(['model', 'template', 'system', 'params', 'license'])
    expect(full.layers[0]?.digest).toBe(bare.layers[0]?.digest)
    const blob = `/blobs/${full.layers[2]?.digest}`
    expect((await client.get(`/v2/ada/${own.name}${blob}`)).status).toBe(307)
    // The digest answers only where the repo holds it.
    expect((await client.get(`${at()}${blob}`)).status).toBe(404)
    await givenCommit(world, ada, own, [add('params', '[1]')])
    expect(await client.get(path)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('JSON object') },
    })
  })

  test('HEAD of a blob has its length without a redirect; ranges of the signed address are 206', async () => {
    const head = await client.send('HEAD', `${at()}/blobs/sha256:${sha256}`)
    expect([head.status, head.header('content-length')]).toEqual([200, String(model.length)])
    const { path, answer } = await follow(client, `sha256:${sha256}`)
    expect([answer.status, answer.header('location')]).toEqual([200, path])
    const part = await visitor.get(path, { Range: 'bytes=0-3' })
    expect([part.status, part.body]).toEqual([206, 'GGUF'])
    expect((await visitor.get(path.replace(sha256, 'a'.repeat(64)))).status).toBe(403)
  })

  test('a stranger sees no difference between a hidden repo and none, signed in or not', async () => {
    for (const who of [stranger, visitor]) {
      const hidden = await who.get(`${at()}/manifests/latest`)
      const absent = await who.get(`/v2/${repo.ns}/absent/manifests/latest`)
      expect(hidden.body).toEqual(absent.body)
      expect([hidden.status, absent.status]).toEqual(who === visitor ? [401, 401] : [404, 404])
    }
    const challenge = (await visitor.get(`${at()}/manifests/latest`)).header('www-authenticate')
    const scope = `repository:${repo.ns}/${repo.name}:pull`
    expect(challenge).toBe(`Bearer realm="http://localhost:8080/v2/token",service="arsenal",scope="${scope}"`)
  })

  test('a gated repo is 403 for whom it is closed to', async () => {
    const gated = await givenRepo(world, ada, { visibility: 'public' })
    await updateRepo(world.ctx(ada), gated, { gated: 'manual' })
    expect((await stranger.get(`/v2/ada/${gated.name}/manifests/latest`)).status).toBe(403)
  })

  test('shards are for llama.cpp alone, which learns the name of the first', async () => {
    const split = await givenRepo(world, ada)
    for (const n of [1, 2])
      await givenFile(world, ada, split, `big-Q5_K_M-0000${n}-of-00002.gguf`, ggufModel({ seed: n + 10 }))
    const path = `/v2/ada/${split.name}/manifests/Q5_K_M`
    expect(await client.get(path)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('split into 2 files') },
    })
    const { body } = await client.get<Manifest>(path, { 'User-Agent': 'llama-cpp/b6000' })
    expect(body.ggufFile).toMatchObject({
      rfilename: 'big-Q5_K_M-00001-of-00002.gguf',
      lfs: { size: expect.any(Number) },
    })
    expect((await client.get<Manifest>(`${at()}/manifests/latest`)).body.ggufFile).toBeUndefined()
  })

  test('a saved key signs in for an hour, its nonce once, and ends with the key', async () => {
    const key = newKey()
    const ask = (options: Parameters<typeof signed>[1], with_ = key) => {
      const { path, headers } = signed(with_, options)
      return visitor.get<{ token: string; error: string }>(path, headers)
    }
    expect(await ask({ ts: now(), nonce: 'nonce-00' })).toMatchObject({
      status: 401,
      body: { error: expect.stringMatching(/^key SHA256:\S+ is not saved$/) },
    })
    const keys = '/api/service/v1/me/ollama-keys'
    const saved = await client.send<{ id: string }>('POST', keys, { name: 'laptop', public_key: key.line })
    expect(saved.status).toBe(201)
    const again = { name: 'again', public_key: key.line }
    expect((await stranger.send('POST', keys, again)).status).toBe(409)
    expect((await client.send('POST', keys, { name: 'x', public_key: 'ssh-rsa AAAA' })).status).toBe(422)
    const { status, body } = await ask({ ts: now(), nonce: 'nonce-01' })
    expect(status).toBe(200)
    const wrong: [string, Parameters<typeof signed>[1]][] = [
      ['used before', { ts: now(), nonce: 'nonce-01' }],
      ['clock', { ts: now() - 601, nonce: 'nonce-02' }],
      ['does not fit', { ts: now(), nonce: 'nonce-03', host: 'http://elsewhere:8080' }],
    ]
    for (const [reason, options] of wrong)
      expect(await ask(options)).toMatchObject({
        status: 401,
        body: { error: expect.stringContaining(reason) },
      })
    const puller = clientOf({ Authorization: `Bearer ${body.token}` })
    expect((await puller.get(`${at()}/manifests/latest`)).status).toBe(200)
    expect((await puller.get('/api/service/v1/me')).status).toBe(401)
    const { path } = await follow(puller, `sha256:${sha256}`)
    expect((await visitor.get(path, { Range: 'bytes=0-3' })).status).toBe(206)
    const listed = await client.get<{ items: { last_used_at?: string }[] }>(keys)
    expect(listed.body.items[0]?.last_used_at).toBeDefined()
    expect((await client.send('DELETE', `${keys}/${saved.body.id}`)).status).toBe(204)
    expect((await puller.get(`${at()}/manifests/latest`)).status).toBe(401)
    expect((await visitor.get(path, { Range: 'bytes=0-3' })).status).toBe(404)
  })

  test('a token of a key ends after an hour', async () => {
    const key = newKey()
    const keys = '/api/service/v1/me/ollama-keys'
    await client.send('POST', keys, { name: 'hour', public_key: key.line })
    const { path, headers } = signed(key, { ts: now(), nonce: 'nonce-hour' })
    const { body } = await visitor.get<{ token: string }>(path, headers)
    const puller = clientOf({ Authorization: `Bearer ${body.token}` })
    expect((await puller.get(`${at()}/manifests/latest`)).status).toBe(200)
    const before = world.clock.now
    world.clock.now = new Date(before.getTime() + 3_600_000)
    expect((await puller.get(`${at()}/manifests/latest`)).status).toBe(401)
    world.clock.now = before
  })

  test('a token with the scope read pulls; the quants are listed with the commands that pull and run them', async () => {
    const { secret } = await givenToken(world, ada, { scopes: ['read'] })
    const reader = clientOf({ Authorization: `Bearer ${secret}` })
    expect((await reader.get(`${at()}/manifests/latest`)).status).toBe(200)
    const quants = `/api/service/v1/repos/models/${repo.ns}/${repo.name}/quants`
    const { body } = await reader.get<{ groups: object[] }>(quants)
    expect(body.groups).toHaveLength(2)
    expect(body.groups).toContainEqual({
      name: 'Q4_K_M',
      bits: expect.any(Number),
      files: ['tiny-Q4_K_M.gguf'],
      size_bytes: model.length,
      sharded: false,
      has_projector: false,
      pull_command: `ollama pull --insecure localhost:8080/ada/${repo.name}:Q4_K_M`,
      run_command: `ollama run --insecure localhost:8080/ada/${repo.name}:Q4_K_M`,
    })
    expect((await stranger.get(quants)).status).toBe(404)
  })
})

eachRedirectingStore('the model registry over a bucket', (world) => {
  test('sends the reader of a large file to the bucket, and of a HEAD nowhere', async () => {
    const ada = await givenUser(world, 'ada')
    const repo = await givenRepo(world, ada)
    const model = ggufModel()
    const sha256 = await givenFile(world, ada, repo, 'a-Q4_0.gguf', model)
    const client = await hubOver(world).as(ada)
    const path = `/v2/ada/${repo.name}/blobs/sha256:${sha256}`
    expect((await client.send('HEAD', path)).header('content-length')).toBe(String(model.length))
    const answer = await client.get(path)
    expect(answer.status).toBe(307)
    const part = await fetch(answer.header('location') ?? '', { headers: { Range: 'bytes=0-3' } })
    expect([part.status, await part.text()]).toEqual([206, 'GGUF'])
  })
})
