import type { UserActor } from '../../core/access/index.ts'
import { buildApp } from '../../app/app.ts'
import { givenCommit } from '../../rooms/content/testing.ts'
import { givenContent, type Content } from '../../core/lfs/testing.ts'
import type { Repo } from '../../rooms/repos/index.ts'
import { fromChunks } from '../../stores/storage/index.ts'
import { givenToken, type World } from '../../testing.ts'
import { storeObject } from '../../rooms/uploads/receive/store-object.ts'

type Deps = World['deps']

/** What a request brought; `body` of what is not JSON is its text. */
export interface HubAnswer<B> {
  status: number
  header: (name: string) => string | null
  body: B
}

/** Sends requests to a whole server, as somebody who has a token. */
export interface HubClient {
  get<B = Record<string, unknown>>(path: string, headers?: Record<string, string>): Promise<HubAnswer<B>>
  send<B = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<HubAnswer<B>>
  /** Posts a body of one JSON object a line. */
  sendLines<B = Record<string, unknown>>(path: string, lines: unknown[]): Promise<HubAnswer<B>>
}

/** A whole server over the world, its configuration changed by `change`. */
export function hubOver(world: World, change: (config: Deps['config']) => Deps['config'] = (same) => same) {
  const deps = { ...world.deps, config: change(world.deps.config) }
  const app = buildApp(deps, { state: 'ready', check: async () => undefined })
  const clientOf = (credentials: Record<string, string>): HubClient => {
    const ask = async <B>(method: string, path: string, headers: Record<string, string>, body?: string) => {
      const init = {
        method,
        headers: { ...credentials, ...headers },
        ...(body === undefined ? {} : { body }),
      }
      const answer = await app.request(path, init)
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.includes('json') && text !== ''
      const read = (isJson ? JSON.parse(text) : text) as B
      return { status: answer.status, header: (name: string) => answer.headers.get(name), body: read }
    }
    return {
      get: (path, headers = {}) => ask('GET', path, headers),
      send: (method, path, body) =>
        ask(
          method,
          path,
          { 'Content-Type': 'application/json' },
          body === undefined ? undefined : JSON.stringify(body),
        ),
      sendLines: (path, lines) =>
        ask(
          'POST',
          path,
          { 'Content-Type': 'application/x-ndjson' },
          lines.map((line) => JSON.stringify(line)).join('\n'),
        ),
    }
  }
  const as = async (owner: UserActor, scopes: ('read' | 'write' | 'admin')[] = ['write']) =>
    clientOf({ Authorization: `Bearer ${(await givenToken(world, owner, { scopes })).secret}` })
  return { as, visitor: clientOf({}), clientOf }
}

/** A large file of 2000 random bytes that `owner` has committed to a repo. */
export async function givenLarge(world: World, owner: UserActor, repo: Repo, path: string): Promise<Content> {
  const content = givenContent(2000)
  const { sha256, sizeBytes, bytes } = content
  await storeObject(world.ctx(owner), { repoId: repo.id, userId: owner.id }, content, fromChunks(bytes))
  await givenCommit(world, owner, repo, [{ op: 'add-lfs', path, sha256, sizeBytes }])
  return content
}
