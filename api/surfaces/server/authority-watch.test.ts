import { once } from 'node:events'
import {
  request,
  type ClientRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from 'hono'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Env } from '../../core/http/env.ts'
import type { UserActor } from '../../core/access/index.ts'
import { buildApp } from '../../app/app.ts'
import { randomBytes } from 'node:crypto'
import { givenCommit } from '../../rooms/content/testing.ts'
import { revokeToken } from '../../rooms/auth/tokens.ts'
import { disableUser } from '../../rooms/auth/disable-user.ts'
import { asked, givenContent } from '../../core/lfs/testing.ts'
import { batch } from '../../rooms/uploads/batch/batch.ts'
import { storeObject } from '../../rooms/uploads/receive/store-object.ts'
import type { Repo } from '../../rooms/repos/index.ts'
import { fromChunks } from '../../stores/storage/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { AuthorityWatch } from './authority-watch.ts'
import { listen } from './listen.ts'

/** More than the buffers of both sockets hold, so that a reader who pauses keeps the answer open. */
const LARGE = 48 * 1024 * 1024

interface Caller {
  person: UserActor
  token: UserActor
  secret: string
  repo: Repo
}

eachDatabase('a caller who loses access', (world) => {
  let server: Server
  /** The answer of each request, by its address. */
  const answers = new Map<string, ServerResponse>()
  beforeAll(async () => {
    const app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    const fetch: typeof app.fetch = (asked, env) => {
      answers.set(new URL(asked.url).pathname, (env as { outgoing: ServerResponse }).outgoing)
      return app.fetch(asked, env)
    }
    server = await listen({ fetch }, '127.0.0.1:0')
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  afterEach(() => void vi.useRealTimers())

  async function givenCaller(): Promise<Caller> {
    const person = await givenUser(world, `person-${randomBytes(4).toString('hex')}`)
    const { secret, actor: token } = await givenToken(world, person)
    return { person, token, secret, repo: await givenRepo(world, person) }
  }

  const bearer = ({ secret }: Caller) => ({ authorization: `Bearer ${secret}` })
  const basic = ({ secret }: Caller) => ({
    authorization: `Basic ${Buffer.from(`x:${secret}`).toString('base64')}`,
  })

  function ask(method: string, address: string, headers: Record<string, string>): ClientRequest {
    const { pathname, search } = new URL(address, 'http://local')
    const { port } = server.address() as AddressInfo
    const asking = request({
      port,
      host: '127.0.0.1',
      method,
      path: pathname + search,
      headers,
      agent: false,
    })
    asking.on('error', () => undefined)
    return asking
  }

  /** An answer of which nothing more is read. */
  async function stuckAnswer(asking: ClientRequest): Promise<IncomingMessage> {
    asking.end()
    const [answer] = (await once(asking, 'response')) as [IncomingMessage]
    answer.pause().on('error', () => undefined)
    expect(answer.statusCode).toBe(200)
    return answer
  }
  async function beginDownload(asking: ClientRequest): Promise<ClientRequest> {
    await stuckAnswer(asking)
    return asking
  }

  /** A large file of the caller's repo, and the address the LFS batch gives for it. */
  async function givenLargeFile({ token, person, repo }: Caller): Promise<string> {
    const content = givenContent(LARGE)
    await storeObject(
      world.ctx(person),
      { repoId: repo.id, userId: person.id },
      content,
      fromChunks(content.bytes),
    )
    const { sha256, sizeBytes } = content
    await givenCommit(world, person, repo, [{ op: 'add-lfs', path: 'large.bin', sha256, sizeBytes }])
    const wanted = { operation: 'download' as const, objects: [asked(content)], ref: { name: 'main' } }
    const { objects } = await batch(world.ctx(token), repo, wanted)
    return objects[0]?.actions?.['download']?.href ?? ''
  }

  /** Begins an upload, and waits until the server has it. */
  async function beginUpload(asking: ClientRequest, text: string): Promise<ClientRequest> {
    asking.write(text)
    await expect.poll(() => answers.has(pathOf(asking))).toBe(true)
    return asking
  }
  const pathOf = ({ path }: ClientRequest) => new URL(path, 'http://local').pathname
  /** Resolves when the server has ended the request. */
  const isEnded = async (asking: ClientRequest) => {
    const answer = answers.get(pathOf(asking))
    if (answer && !answer.destroyed) await once(answer, 'close')
    expect(answer?.writableFinished).toBe(false)
  }

  /** Requests that go on until the server ends them. */
  const underWay: Record<string, (caller: Caller, signed: string) => Promise<ClientRequest>> = {
    'a download by token': async (caller) => {
      const { ns, name } = caller.repo
      return beginDownload(ask('GET', `/${ns}/${name}/resolve/main/large.bin`, bearer(caller)))
    },
    'a clone': async (caller) => {
      const { person, repo } = caller
      const files = Array.from({ length: 8 }, (_, i) => ({
        op: 'add' as const,
        path: `random-${i}.txt`,
        content: randomBytes(LARGE / 8),
      }))
      const { commit: head } = await givenCommit(world, person, repo, files)
      const wants = `0032want ${head}\n00000009done\n`
      const type = 'application/x-git-upload-pack-request'
      const asking = ask('POST', `/${repo.ns}/${repo.name}.git/git-upload-pack`, {
        ...basic(caller),
        'content-type': type,
        'content-length': String(wants.length),
      })
      asking.write(wants)
      return beginDownload(asking)
    },
    'a download from a signed address': (_caller, signed) => beginDownload(ask('GET', signed, {})),
    'an upload to a signed address': async ({ token, repo }) => {
      const content = { ...givenContent(10), sizeBytes: 1024 }
      const wanted = { operation: 'upload' as const, objects: [asked(content)], ref: { name: 'main' } }
      const { objects } = await batch(world.ctx(token), repo, wanted)
      const asking = ask('PUT', objects[0]?.actions?.['upload']?.href ?? '', { 'content-length': '1024' })
      return beginUpload(asking, 'begun')
    },
    'a push': async (caller) => {
      const { ns, name } = caller.repo
      const type = 'application/x-git-receive-pack-request'
      const headers = { ...basic(caller), 'content-type': type, 'content-length': '100000' }
      const asking = ask('POST', `/${ns}/${name}.git/git-receive-pack`, headers)
      return beginUpload(asking, '00')
    },
    'a commit': async (caller) => {
      const { ns, name } = caller.repo
      const headers = {
        ...bearer(caller),
        'content-type': 'application/x-ndjson',
        'content-length': '100000',
      }
      const asking = ask('POST', `/api/models/${ns}/${name}/commit/main`, headers)
      return beginUpload(asking, '{"key":"header","value":{"summary":"begun"}}\n')
    },
  }

  const losses: [string, (caller: Caller) => Promise<unknown>][] = [
    ['the user is disabled', ({ person }) => disableUser(world.ctx(), person.username)],
    [
      'the token is revoked',
      ({ person, token: { auth } }) =>
        revokeToken(world.ctx(person), auth.kind === 'token' ? auth.tokenId : ''),
    ],
  ]
  // All at once, since each waits for the next look of the server.
  test.each(losses)('has every request ended when %s', async (_title, lose) => {
    const caller = await givenCaller()
    const address = await givenLargeFile(caller)
    const askings = await Promise.all(Object.values(underWay).map((begin) => begin(caller, address)))
    await lose(caller)
    await Promise.all(askings.map((asking) => isEnded(asking)))
    expect(askings).toHaveLength(6)
  })

  test('has a request ended within 5 s by the clock of the server', async () => {
    const { person, token } = await givenCaller()
    const ctx = world.ctx(token)
    const outgoing = { destroy: vi.fn() }
    const c = { env: { outgoing }, get: (name: string) => (name === 'ctx' ? ctx : undefined) }
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    /** The database answers in real time meanwhile. */
    const goOn = async (ms: number) => {
      for (let i = 0; i < ms / 500; i++) {
        await vi.advanceTimersByTimeAsync(500)
        await pause(20)
      }
    }
    new AuthorityWatch().enter(c as unknown as Context<Env>)
    await goOn(7000)
    expect(outgoing.destroy).not.toHaveBeenCalled()
    await disableUser(world.ctx(), person.username)
    await goOn(5000)
    expect(outgoing.destroy).toHaveBeenCalled()
  })

  test('leaves the downloads of other callers alone', async () => {
    const [leaves, stays] = [await givenCaller(), await givenCaller()]
    await Promise.all([leaves, stays].map((caller) => givenLargeFile(caller)))
    const askings = [leaves, stays].map((caller) =>
      ask('GET', `/${caller.repo.ns}/${caller.repo.name}/resolve/main/large.bin`, bearer(caller)),
    )
    const [cut, whole] = await Promise.all(askings.map((asking) => stuckAnswer(asking)))
    await disableUser(world.ctx(), leaves.person.username)
    await isEnded(askings[0] as ClientRequest)
    let bytes = 0
    for await (const chunk of (whole as IncomingMessage).resume()) bytes += (chunk as Buffer).length
    expect(bytes).toBe(LARGE)
    expect(cut?.complete).toBe(false)
  })
})
