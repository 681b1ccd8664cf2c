import type { Context } from 'hono'
import { actorId, requireUser } from '../../core/access/index.ts'
import { push, type PullRequestPushes } from '../../rooms/content/index.ts'
import { declaredLength, sendStream } from '../../core/http/bytes.ts'
import {
  answerWhenDone,
  capabilityAdvert,
  endingWith,
  MAX_COMMANDS_BYTES,
  MAX_FETCH_REQUEST_BYTES,
  PacketReader,
  protocolOf,
  readPushRequest,
  receiveAdvert,
  spool,
  uploadAdvert,
  uploadPack,
  type PushCommand,
  type PushReport,
  type Service,
} from '../../core/git/index.ts'
import { Limiter } from '../../platform/flow/index.ts'
import type { App, Env } from '../../core/http/env.ts'
import { headerOf } from '../../core/http/header.ts'
import { inflatedBytes } from '../../core/http/inflated.ts'
import { logProblem, toProblem } from '../../core/http/problem-response.ts'
import type { ErrorSurface } from '../../core/http/surface.ts'
import manifest from '../../package.json' with { type: 'json' }
import { Problem } from '../../platform/problems/index.ts'
import { countFetch, requireRepo, type Repo, type RepoAddress } from '../../rooms/repos/index.ts'
import { gitErrorResponse, isGitPath } from './view.ts'

/** Failures on git's addresses, in the way git shows them. */
export const gitSurface: ErrorSurface = {
  owns: isGitPath,
  render: gitErrorResponse,
  requestClass: 'git',
}

const agent = `arsenal/${manifest.version}`
// Of one user, or of one address for anonymous callers (git-storage.md §11).
const FETCHES_AT_ONCE = 4
const PUSHES_AT_ONCE = 2
const MAX_WAITING = 16

const headersOf = (service: Service, kind: 'advertisement' | 'result') => ({
  'Content-Type': `application/x-${service}-${kind}`,
  'Cache-Control': 'no-cache, max-age=0, must-revalidate',
})

function addressOf(c: Context<Env>, type: RepoAddress['type']): RepoAddress {
  const name = c.req.param('name') ?? ''
  return { type, ns: c.req.param('ns') ?? '', name: name.endsWith('.git') ? name.slice(0, -4) : name }
}

const callerOf = ({ var: { ctx } }: Context<Env>) => actorId(ctx.actor) ?? ctx.origin.ip

function requireType(c: Context<Env>, service: Service): void {
  const type = headerOf(c, 'content-type')?.split(';', 1)[0]?.trim()
  if (type === `application/x-${service}-request`) return
  throw new Problem('unsupported-media-type', { detail: `Send application/x-${service}-request.` })
}

/**
 * The repo of a push, which may turn out to be one to a pull request that the caller has opened. Files of a gated repo
 * must be open to them: what they push may name any.
 */
async function requirePushable(c: Context<Env>, type: RepoAddress['type']): Promise<Repo> {
  // git holds its credentials back until it is refused once: that costs no look at the repo.
  requireUser(c.var.ctx.actor)
  const repo = await requireRepo(c.var.ctx, addressOf(c, type), 'repo.open-pull-request')
  return requireRepo(c.var.ctx, repo, 'repo.files')
}

/** `GET …/info/refs`: what there is, before a fetch or a push. */
async function sendAdvert(c: Context<Env>, type: RepoAddress['type']): Promise<Response> {
  const { ctx } = c.var
  const service = c.req.query('service')
  const isPush = service === 'git-receive-pack'
  const repo = isPush
    ? await requirePushable(c, type)
    : await requireRepo(ctx, addressOf(c, type), 'repo.files')
  // The refs of a mirror are those of its upstream.
  await ctx.pullThrough?.revision(ctx.actor, repo.id, { name: '', isHere: true })
  if (!isPush && service !== 'git-upload-pack')
    throw new Problem('forbidden', { detail: 'The dumb HTTP protocol is not offered; use a newer git.' })
  const protocol = protocolOf(headerOf(c, 'git-protocol'))
  const headers = headersOf(service, 'advertisement')
  if (!isPush && protocol === 2) return c.body(toBody(capabilityAdvert(agent)), 200, headers)
  const snapshot = await ctx.git.open(repo.id)
  const advert =
    isPush || protocol === 2 ? receiveAdvert(snapshot, agent) : uploadAdvert(snapshot, protocol, agent)
  return c.body(toBody(advert), 200, headers)
}

const toBody = (bytes: Buffer) => new Uint8Array(bytes)

/** `POST …/git-upload-pack`: refs or a pack. */
async function sendPack(c: Context<Env>, type: RepoAddress['type'], limiter: Limiter): Promise<Response> {
  const { git } = c.var.ctx
  const repo = await requireRepo(c.var.ctx, addressOf(c, type), 'repo.files')
  requireType(c, 'git-upload-pack')
  const release = await limiter.take({ key: callerOf(c) })
  try {
    const body = await spool(inflatedBytes(c), git.store.tempDir, MAX_FETCH_REQUEST_BYTES)
    if (body === 'too-large') throw new Problem('body-too-large')
    const end = async () => {
      release()
      await body.dispose()
    }
    const protocol = protocolOf(headerOf(c, 'git-protocol'))
    const onFetched = (bytes: number) => countFetch(c.var.ctx, repo, { of: 'everything', bytes })
    return await sendStream(c, headersOf('git-upload-pack', 'result'), async (signal) => {
      try {
        const request = { protocol, body, signal, onFetched }
        return endingWith(await uploadPack(git, await git.open(repo.id), request), end)
      } catch (error) {
        await end()
        throw error
      }
    })
  } catch (error) {
    release()
    throw error
  }
}

/** `POST …/git-receive-pack`: a push. */
async function receivePack(
  c: Context<Env>,
  type: RepoAddress['type'],
  { pushes, pulls }: GitCapacity,
): Promise<Response> {
  const { ctx } = c.var
  const repo = await requirePushable(c, type)
  requireType(c, 'git-receive-pack')
  refuseLength(c, ctx.config.git.max_pack_size)
  const headers = headersOf('git-receive-pack', 'result')
  const reader = new PacketReader(inflatedBytes(c))
  const request = await readPushRequest(reader)
  const { commands, isAtomic } = request
  if (commands.length === 0) return c.body(null, 200, headers)
  const release = await pushes.take({ key: callerOf(c) })
  const pack = await spool(reader.rest(), ctx.git.store.tempDir, ctx.config.git.max_pack_size).catch(
    (error: unknown) => {
      release()
      throw error
    },
  )
  return sendStream(c, headers, (signal) => {
    const work = push(ctx, repo, { commands, isAtomic, pack, signal, ...(pulls && { pulls }) })
      .catch((error: unknown) => failed(c, commands, error))
      .finally(async () => {
        release()
        if (pack !== 'too-large') await pack.dispose()
      })
    return answerWhenDone(work, request)
  })
}

/** Git and proxies take a status other than 200 for a broken server, so a failure is reported as every refusal is. */
function failed(c: Context<Env>, commands: PushCommand[], error: unknown): PushReport {
  const problem = toProblem(error)
  logProblem(c, problem)
  const reason = problem.status < 500 ? (problem.detail ?? problem.title) : problem.title
  return {
    unpackFault: reason,
    refs: commands.map(({ ref }) => ({ ref, refusal: 'unpacker error' })),
    messages: [`arsenal: push failed, ${reason}`],
  }
}

/** Only before anything is read: later a sender would not listen. */
function refuseLength(c: Context<Env>, maxBytes: number): void {
  const declared = declaredLength(c)
  if (declared === undefined || declared <= maxBytes + MAX_COMMANDS_BYTES) return
  throw new Problem('body-too-large', { detail: `A push may have at most ${maxBytes} bytes.` })
}

function mountRepoGit(app: App, prefix: string, type: RepoAddress['type'], capacity: GitCapacity): void {
  const base = `${prefix}/:ns/:name`
  app.get(`${base}/info/refs`, (c) => sendAdvert(c, type))
  app.post(`${base}/git-upload-pack`, (c) => sendPack(c, type, capacity.fetches))
  app.post(`${base}/git-receive-pack`, (c) => receivePack(c, type, capacity))
}

interface GitCapacity extends GitOptions {
  fetches: Limiter
  pushes: Limiter
}

interface GitOptions {
  /** How pull requests take pushes; not at all, when left out. */
  pulls?: PullRequestPushes
}

/** git's smart HTTP (git-storage.md §6.4, §6.5); `:name` comes with or without `.git`. */
export function mountGit(app: App, options: GitOptions = {}): void {
  const capacity = {
    ...options,
    fetches: new Limiter({ perKey: FETCHES_AT_ONCE, maxWaiting: MAX_WAITING }),
    pushes: new Limiter({ perKey: PUSHES_AT_ONCE, maxWaiting: MAX_WAITING }),
  }
  mountRepoGit(app, '', 'model', capacity)
  mountRepoGit(app, '/models', 'model', capacity)
  mountRepoGit(app, '/datasets', 'dataset', capacity)
}
