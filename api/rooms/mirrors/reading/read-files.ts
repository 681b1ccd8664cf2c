import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'
import type { CommitOfFiles } from '../../../core/git/index.ts'
import { typePathOf } from '../../repos/index.ts'
import { askUpstream, jsonOf, nextPath, unavailable, type Caller } from '../../upstreams/index.ts'
import { encodedName, requireReadable, type UpstreamRepo } from './describe.ts'

type Deps = Pick<Ctx, 'config' | 'db' | 'log' | 'now'>

/** A file at a commit, as the API of an upstream lists it. */
export interface ListedFile {
  path: string
  /** Git blob, 40-hex; of a large file its pointer's. */
  oid: string
  /** Real size. */
  sizeBytes: number
  lfs?: { sha256: string; sizeBytes: number }
}

/** More files than a repo here may have. */
const MAX_FILES = 100_000

const Oid = z.string().regex(/^[0-9a-f]{40}$/)
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Size = z.number().int().nonnegative()
const Listed = z.array(
  z.object({
    type: z.string(),
    path: z.string(),
    oid: Oid,
    size: Size.optional(),
    lfs: z.object({ oid: Sha256.optional(), sha256: Sha256.optional(), size: Size }).nullish(),
  }),
)
const Commits = z.array(
  z.object({
    title: z.string(),
    message: z.string().nullish(),
    date: z.iso.datetime({ offset: true }),
    authors: z.array(z.object({ user: z.string().nullish(), name: z.string().nullish() })).nullish(),
  }),
)
const NamedRefs = z.array(z.object({ name: z.string() })).nullish()
const Refs = z.object({ branches: NamedRefs, tags: NamedRefs })

const apiOf = ({ type, name }: UpstreamRepo) => `/api/${typePathOf(type)}/${encodedName(name)}`

const notHub = ({ upstream }: Caller, what: string) =>
  unavailable(upstream, new Error(`Its ${what} is not that of a hub.`))

/** Every file at a commit. Problem `upstream-unavailable` where the list has no git ids or has no end. */
export async function listFiles(
  ctx: Deps,
  caller: Caller,
  repo: UpstreamRepo,
  commit: string,
): Promise<ListedFile[]> {
  const files: ListedFile[] = []
  let path: string | undefined = `${apiOf(repo)}/tree/${commit}?recursive=true`
  while (path !== undefined) {
    const answer = await askUpstream(ctx, caller, path)
    requireReadable(caller, answer, `list of the files of ${repo.name}`)
    const parsed = Listed.safeParse(jsonOf(caller, answer))
    if (!parsed.success) throw notHub(caller, `list of the files of ${repo.name}`)
    for (const { type, path: file, oid, size = 0, lfs } of parsed.data) {
      if (type !== 'file') continue
      const sha256 = lfs?.sha256 ?? lfs?.oid
      const large = lfs && sha256 !== undefined && { lfs: { sha256, sizeBytes: lfs.size } }
      files.push({ path: file, oid, sizeBytes: lfs?.size ?? size, ...large })
    }
    const next = nextPath(answer.headers['link'], caller.upstream.baseUrl)
    if (files.length > MAX_FILES || (next !== undefined && parsed.data.length === 0))
      throw unavailable(caller.upstream, new Error(`Its list of files has more than ${MAX_FILES} entries.`))
    path = next
  }
  return files
}

/** Who made a commit, when, and with which message. An upstream that does not say is its own author. */
export async function readCommit(
  ctx: Deps,
  caller: Caller,
  repo: UpstreamRepo,
  commit: string,
): Promise<Omit<CommitOfFiles, 'parents'>> {
  const { host } = new URL(caller.upstream.baseUrl)
  const answer = await askUpstream(ctx, caller, `${apiOf(repo)}/commits/${commit}?limit=1`)
  const parsed = answer.status === 200 ? Commits.safeParse(jsonOf(caller, answer)) : undefined
  const found = parsed?.success ? parsed.data[0] : undefined
  const [author] = found?.authors ?? []
  const name = author?.user ?? author?.name ?? caller.upstream.name
  return {
    author: {
      name,
      email: `${name.replace(/[^\w.-]/g, '-')}@${host.replace(/:\d+$/, '')}`,
      // A time that does not change: the same commit is made again after a crash.
      at: new Date(found?.date ?? 0),
      tzMinutes: 0,
    },
    message: found
      ? [found.title, found.message].filter(Boolean).join('\n\n')
      : `Commit ${commit} of ${repo.name}`,
  }
}

/** The full name of a branch or tag. One that no list has, as of a server without such lists, counts as a branch. */
export async function fullRefName(
  ctx: Deps,
  caller: Caller,
  repo: UpstreamRepo,
  revision: string,
): Promise<string> {
  if (revision.startsWith('refs/')) return revision
  const answer = await askUpstream(ctx, caller, `${apiOf(repo)}/refs`)
  const parsed = answer.status === 200 ? Refs.safeParse(jsonOf(caller, answer)) : undefined
  const isBranch = parsed?.data?.branches?.some(({ name }) => name === revision)
  const isTag = !isBranch && parsed?.data?.tags?.some(({ name }) => name === revision)
  return `refs/${isTag ? 'tags' : 'heads'}/${revision}`
}
