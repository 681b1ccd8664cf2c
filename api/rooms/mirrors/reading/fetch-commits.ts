import type { Ctx } from '../../../core/ctx.ts'
import {
  fetchRequest,
  lsRefsRequest,
  PROTOCOL_HEADER,
  readFetch,
  readRefs,
  RemoteGitError,
  speaksProtocol2,
  spool,
  type RemoteRef,
  type Spooled,
} from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { streamUpstream, unavailable, type Caller } from '../../upstreams/index.ts'
import { encodedName, gatedThere, requireReadable, type UpstreamRepo } from './describe.ts'

/** Refs and commits of an upstream's repo, over git's protocol v2. */
export interface GitRepo {
  /** The refs whose full names begin with one of `prefixes`. */
  listRefs(prefixes: string[]): Promise<RemoteRef[]>
  /**
   * Fetches what `wants` lead to and `haves` do not; `depth` commits of the history, all of it when left out. `too-large`
   * beyond `git.max_pack_size`, `too-slow` beyond `git.timeout`.
   */
  fetch(wish: FetchWish): Promise<FetchedPack | 'too-large' | 'too-slow'>
}

export interface FetchWish {
  wants: string[]
  haves: string[]
  shallow: Iterable<string>
  depth?: number
}

export interface FetchedPack {
  pack: Spooled
  /** Commits whose parents were left out, and former ones whose parents have come. */
  shallow: string[]
  unshallow: string[]
}

const ANSWERS = { refs: 'x-git-upload-pack-advertisement', pack: 'x-git-upload-pack-result' }

/**
 * Opens a repo of an upstream by git; `undefined` where the upstream has no git of protocol v2. All requests go out as those
 * to its API do: guarded, in pace, through the same proxies, with the token for that host alone, and to no other one. So git itself never reaches
 * the network, and none of its settings count.
 */
export async function openGit(ctx: Ctx, caller: Caller, repo: UpstreamRepo): Promise<GitRepo | undefined> {
  const base = `/${repo.type === 'dataset' ? 'datasets/' : ''}${encodedName(repo.name)}`
  const headers = { ...PROTOCOL_HEADER, ...basic(caller) }
  const advert = await streamUpstream(ctx, caller, `${base}/info/refs?service=git-upload-pack`, {
    headers,
    isBoundToOrigin: true,
  })
  const isGit = (advert.headers['content-type'] ?? '').includes(ANSWERS.refs)
  if (advert.status !== 200 || !isGit) {
    advert.close()
    // Its API has shown the repo, so that it is there.
    if (advert.status === 401) throw gatedThere(caller, repo.name)
    if (!isWithoutGit(advert)) requireReadable(caller, advert, repo.name)
    return undefined
  }
  if (!(await speaksProtocol2(advert.body))) return undefined

  const post = async (body: Buffer, signal = caller.signal) => {
    const answer = await streamUpstream(ctx, { ...caller, signal }, `${base}/git-upload-pack`, {
      method: 'POST',
      body,
      isBoundToOrigin: true,
      headers: {
        ...headers,
        'Content-Type': 'application/x-git-upload-pack-request',
        Accept: 'application/x-git-upload-pack-result',
      },
    })
    if (answer.status === 200 && (answer.headers['content-type'] ?? '').includes(ANSWERS.pack)) return answer
    answer.close()
    requireReadable(caller, answer, repo.name)
    throw unavailable(caller.upstream, new Error('It does not answer git.'))
  }

  return {
    listRefs: (prefixes) =>
      explained(caller, async () => readRefs((await post(lsRefsRequest(prefixes))).body)),
    fetch: (wish) =>
      explained(caller, async () => {
        const late = AbortSignal.timeout(ctx.config.git.timeout)
        const signal = AbortSignal.any([late, ...(caller.signal ? [caller.signal] : [])])
        try {
          const { pack, ...lists } = await readFetch((await post(fetchRequest(wish), signal)).body)
          const spooled = await spool(pack, ctx.git.store.tempDir, ctx.config.git.max_pack_size)
          return spooled === 'too-large' ? spooled : { ...lists, pack: spooled }
        } catch (error) {
          if (late.aborted && !caller.signal?.aborted) return 'too-slow'
          throw error
        }
      }),
  }
}

/** Whether a server has no git at this address. One that asks for credentials or fails says nothing of it. */
const isWithoutGit = ({ status }: { status: number }) =>
  status < 400 || [400, 404, 405, 406, 410, 501].includes(status)

/** Servers of git take a token as the password of any user; the public hub does so as well. */
const basic = ({ token }: Caller) =>
  token === undefined ? {} : { Authorization: `Basic ${Buffer.from(`arsenal:${token}`).toString('base64')}` }

async function explained<T>({ upstream }: Caller, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isTheirs =
      error instanceof RemoteGitError || (error instanceof Problem && error.code === 'invalid-request')
    throw isTheirs ? unavailable(upstream, error) : error
  }
}
