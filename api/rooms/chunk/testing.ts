import { expect } from 'vitest'
import { buildApp } from '../../app/app.ts'
import type { App } from '../../core/http/env.ts'
import { runJobs } from '../../core/jobs/testing.ts'
import type { Repo } from '../repos/index.ts'
import { givenRepo, givenToken, givenUser, type World } from '../../testing.ts'
import { chunkRebuild } from './rebuild-job.ts'

/** For `buildApp`. */
export const ready = { state: 'ready' as const, check: async () => undefined }
/** `Hello World!` as hf-xet 1.6.0 sends it (chunk-upload.md §13). */
export const xorb = Buffer.from('000c0000000c000048656c6c6f20576f726c6421', 'hex')
export const xorbHash = 'd8d408e608fb9ca213b9909a65d86d725f2de4d8d540324be8a363e7a6e228cb'
export const sha256 = '7f83b1657ff1fc53b92dc18148a1d65dfc2d4b1fa3d677284addd200126d9069'
/** Its manifest. */
export const shard = Buffer.from(
  `48465265706f4d6574614461746100556967456a7b815783a5bdd95ccdd14aa902000000000000000000000000000000
bd60b088ade0daa9b195cfbd7ac8e7d74f6db014045ac9326571b887d268eb6b000000c0010000000000000000000000
a29cfb08e608d4d8726dd8659a90b9134b3240d5d8e42d5fcb28e2a6e763a3e8000000000c0000000000000001000000
4ccb988e4563cb8923b7a7a5506bbe7592e648535df0824b2b86c35daf1ab75f00000000000000000000000000000000
53fcf17f65b1837f5dd6a14881c12db92877d6a31f4b2dfc69906d1200d2dd4a00000000000000000000000000000000
ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00000000000000000000000000000000
a29cfb08e608d4d8726dd8659a90b9134b3240d5d8e42d5fcb28e2a6e763a3e800000000010000000c00000000000000
a29cfb08e608d4d8726dd8659a90b9134b3240d5d8e42d5fcb28e2a6e763a3e8000000000c0000000000000000000000
ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00000000000000000000000000000000`.replaceAll(
    '\n',
    '',
  ),
  'hex',
)

export interface Issued {
  accessToken: string
  casUrl: string
}

/** A server, and a repo with somebody who may send chunks for it. */
export class ChunkSite {
  app!: App
  repo!: Repo
  hubToken = ''
  token = ''
  cas = ''

  async open(world: World, name: string): Promise<this> {
    this.app = buildApp(world.deps, ready)
    const owner = await givenUser(world, name)
    this.repo = await givenRepo(world, owner, { visibility: 'public' })
    this.hubToken = (await givenToken(world, owner)).secret
    const answer = await this.app.request(`/api/models/${name}/${this.repo.name}/xet-write-token/main`, {
      headers: { Authorization: `Bearer ${this.hubToken}` },
    })
    const { accessToken, casUrl } = (await answer.json()) as Issued
    this.token = accessToken
    this.cas = new URL(casUrl).pathname
    return this
  }

  ask(method: string, path: string, body?: Buffer, headers: Record<string, string> = {}) {
    const length: Record<string, string> = body ? { 'Content-Length': String(body.length) } : {}
    return this.app.request(this.cas + path, {
      method,
      headers: { Authorization: `Bearer ${this.token}`, ...length, ...headers },
      ...(body ? { body } : {}),
    })
  }
}

/** The lines of a stream. */
export const linesOf = async (answer: Response) =>
  (await answer.text()).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown]))

/** Status and text of a refusal, which must be one of these endpoints. */
export async function failure(answer: Response): Promise<[number, string | undefined]> {
  const { error, message } = (await answer.json()) as Record<string, string>
  expect(message).toBe(error)
  expect(answer.headers.get('x-error-message')).toBeTruthy()
  expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  return [answer.status, error]
}

/** Runs the jobs that put files together until `body` has ended. */
export async function whileWorking<T>(world: World, body: () => Promise<T>): Promise<T> {
  const over = new AbortController()
  const answer = body().finally(() => over.abort())
  // Its failure is met when the jobs have been run.
  answer.catch(() => undefined)
  while (!over.signal.aborted) {
    await runJobs(world.deps, [chunkRebuild])
    await new Promise((goOn) => setTimeout(goOn, 10))
  }
  return answer
}
