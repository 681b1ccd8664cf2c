import type { Context } from 'hono'
import { actorId } from '../access/index.ts'
import { sendStream } from '../http/bytes.ts'
import type { App, Env } from '../http/env.ts'
import { headerOf } from '../http/header.ts'
import { inflatedBytes } from '../http/inflated.ts'
import type { ErrorSurface } from '../http/surfaces.ts'
import manifest from '../package.json' with { type: 'json' }
import { Problem } from '../problems/index.ts'
import { requireRepo, type RepoAddress } from '../repos/index.ts'
import { capabilityAdvert, protocolOf, receiveAdvert, uploadAdvert, type Service } from './adverts.ts'
import { gitErrorResponse, isGitPath } from './git-view.ts'
import { Shares } from './shares.ts'
import { endingWith, spool } from './spool.ts'
import { MAX_FETCH_REQUEST_BYTES, uploadPack } from './upload-pack.ts'

/** Failures on git's addresses, in the way git shows them. */
export const gitSurface: ErrorSurface = { owns: isGitPath, render: gitErrorResponse }

const agent = `arsenal/${manifest.version}`
// Of one user, or of one address where nobody signed in (git-storage.md §11).
const FETCHES_AT_ONCE = 4
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

/** `GET …/info/refs`: what there is, before a fetch or a push. A push may turn out to be one to a pull request. */
async function sendAdvert(c: Context<Env>, type: RepoAddress['type']): Promise<Response> {
  const { ctx } = c.var
  const service = c.req.query('service')
  const isPush = service === 'git-receive-pack'
  const action = isPush ? 'repo.open-pull-request' : 'repo.files'
  const repo = await requireRepo(ctx, addressOf(c, type), action)
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
async function sendPack(c: Context<Env>, type: RepoAddress['type'], shares: Shares): Promise<Response> {
  const { git } = c.var.ctx
  const repo = await requireRepo(c.var.ctx, addressOf(c, type), 'repo.files')
  requireType(c, 'git-upload-pack')
  const giveBack = await shares.take(callerOf(c))
  try {
    const body = await spool(inflatedBytes(c), git.store.tempDir, MAX_FETCH_REQUEST_BYTES)
    if (body === 'too-large') throw new Problem('body-too-large')
    const end = async () => {
      giveBack()
      await body.dispose()
    }
    const protocol = protocolOf(headerOf(c, 'git-protocol'))
    return await sendStream(c, headersOf('git-upload-pack', 'result'), async (signal) => {
      try {
        return endingWith(await uploadPack(git, await git.open(repo.id), { protocol, body, signal }), end)
      } catch (error) {
        await end()
        throw error
      }
    })
  } catch (error) {
    giveBack()
    throw error
  }
}

function mountRepoGit(app: App, prefix: string, type: RepoAddress['type'], fetches: Shares): void {
  const base = `${prefix}/:ns/:name`
  app.get(`${base}/info/refs`, (c) => sendAdvert(c, type))
  app.post(`${base}/git-upload-pack`, (c) => sendPack(c, type, fetches))
}

/** git's smart HTTP (git-storage.md §6.4, §6.5); `:name` comes with or without `.git`. */
export function mountGit(app: App): void {
  const fetches = new Shares(FETCHES_AT_ONCE, MAX_WAITING)
  mountRepoGit(app, '', 'model', fetches)
  mountRepoGit(app, '/models', 'model', fetches)
  mountRepoGit(app, '/datasets', 'dataset', fetches)
}
