import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Presence, RepoType } from '../../../shared/vocabulary.ts'
import type { Ctx } from '../../core/ctx.ts'
import { findAbsent, findInRepo } from '../../core/lfs/index.ts'
import type { RepoNeed } from '../../core/metadata/index.ts'
import { quantGroups, type QuantGroup } from '../../core/parsers/index.ts'
import { encodedName, requireReadable } from '../mirrors/index.ts'
import { usedBytes } from '../namespaces/index.ts'
import { typePathOf } from '../repos/index.ts'
import { jsonOf, unavailable } from '../upstreams/index.ts'
import { statesOf, type ArsenalState } from './arsenal-state.ts'
import { look, lookerAt, type Looker } from './ask.ts'
import { configsOf, type DiscoveredConfig } from './configs.ts'
import { readFound, type FoundRepo, type ListedFile } from './found.ts'
import { readFiles } from './read-files.ts'

/** What a person sees of an upstream's repo before a pull. */
export interface DiscoveredRepo extends FoundRepo {
  arsenal: ArsenalState
  /** 40-hex. */
  commit: string
  /** Markdown, with its front matter. */
  card?: string
  /** Whether the token that was used may read the files. */
  isReadable: boolean
  files: (ListedFile & { presence: Presence })[]
  quants: QuantGroup[]
  configs: DiscoveredConfig[]
  dependencies: (Pick<RepoNeed, 'kind' | 'type' | 'target' | 'revision' | 'relation'> & {
    arsenal: ArsenalState
  })[]
  sizeBytes: number
  /** Of the disk that large files go to; absent for a bucket. */
  freeBytes?: number
  /** Of the namespace that the repo would go to. */
  quotaLeft?: number
  warnings: string[]
}

const MAX_FILES = 20_000
const File = z.object({
  rfilename: z.string(),
  size: z.number().nullish(),
  lfs: z.object({ sha256: z.string().optional(), oid: z.string().optional(), size: z.number() }).nullish(),
})
const Detail = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/), siblings: z.array(File).nullish() })

interface Asked {
  upstream: string
  type: RepoType
  name: string
  revision: string
}

/**
 * Reads what an upstream has under a name, and what a pull of it would bring. Problems: `not-found`, `revision-not-found`,
 * `gated`, `upstream-unavailable`, `upstream-throttled`.
 */
export async function getDiscovered(
  ctx: Ctx,
  { upstream: id, type, name, revision }: Asked,
): Promise<DiscoveredRepo> {
  const looker = await lookerAt(ctx, id)
  const { upstream } = looker
  const path = `/api/${typePathOf(type)}/${encodedName(name)}/revision/${encodeURIComponent(revision)}?blobs=true`
  const answer = await look(ctx, looker, path, { maxBytes: 32 * 1024 * 1024 })
  requireReadable(looker, answer, `${name} at ${revision}`)
  const json = jsonOf(looker, answer)
  const parsed = Detail.safeParse(json)
  const found = readFound(type, json)
  if (!parsed.success || !found) throw unavailable(upstream, new Error('Its answer is not that of a hub.'))
  const { sha: commit, siblings } = parsed.data
  const files = (siblings ?? []).slice(0, MAX_FILES).map(listedFile)
  const at = { type, name: `${found.ns}/${found.name}`, commit }
  const isReadable = !found.isGated || (await mayRead(ctx, looker, at, files[0]))
  const { card, frontMatter, needs } = isReadable
    ? await readFiles(ctx, looker, at, files)
    : { card: undefined, frontMatter: {}, needs: [] }
  const stateOf = await statesOf(ctx, upstream.id, [
    { type, name: at.name },
    ...needs.map((need) => ({ type: need.type, name: need.target })),
  ])
  const arsenal = stateOf(type, at.name)
  const place =
    isReadable && !found.isGated && !found.isPrivate ? `${upstream.namespacePrefix}${found.ns}` : ''
  const freeBytes = (await ctx.blobs.freeSpace())?.freeBytes
  const quotaLeft = await quotaLeftOf(ctx, place)
  return {
    ...found,
    arsenal,
    commit,
    ...(card === undefined ? {} : { card }),
    isReadable,
    files: await withPresence(ctx, arsenal, files),
    quants: quantGroups(files.filter(({ path: file }) => /\.gguf$/i.test(file))),
    configs: type === 'dataset' ? await configsOf(ctx, looker, found, { files, frontMatter }) : [],
    dependencies: needs
      .filter(({ kind }) => kind !== 'dataset')
      .map((need) => ({ ...need, arsenal: stateOf(need.type, need.target) })),
    sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    ...(freeBytes === undefined ? {} : { freeBytes }),
    ...(quotaLeft === undefined ? {} : { quotaLeft }),
    warnings: warningsOf(found, { isReadable, looker, isCut: (siblings?.length ?? 0) > MAX_FILES }),
  }
}

function listedFile({ rfilename: path, size, lfs }: z.output<typeof File>): ListedFile {
  const sha256 = lfs?.sha256 ?? lfs?.oid
  return { path, sizeBytes: lfs?.size ?? size ?? 0, ...(sha256 === undefined ? {} : { sha256 }) }
}

/** Whether the files of a gated repo are open to the token. */
async function mayRead(
  ctx: Ctx,
  looker: Looker,
  { type, name, commit }: { type: RepoType; name: string; commit: string },
  file: ListedFile | undefined,
): Promise<boolean> {
  if (!file) return true
  const prefix = type === 'dataset' ? '/datasets/' : '/'
  const path = file.path.split('/').map(encodeURIComponent).join('/')
  const { status } = await look(ctx, looker, `${prefix}${encodedName(name)}/resolve/${commit}/${path}`, {
    method: 'HEAD',
  })
  return status >= 200 && status < 400
}

/** Small files come with a mirror; large ones may be missing. */
async function withPresence(
  ctx: Ctx,
  { state, repo }: ArsenalState,
  files: readonly ListedFile[],
): Promise<DiscoveredRepo['files']> {
  if (!repo || state === 'local_namesake') return files.map((file) => ({ ...file, presence: 'missing' }))
  const shas = files.flatMap(({ sha256 }) => sha256 ?? [])
  const here = await findInRepo(ctx.db, ctx, repo.id, shas)
  const absent = await findAbsent(ctx.db, repo.id, shas, ctx.now())
  return files.map((file) => {
    const isHere = file.sha256 === undefined || here.has(file.sha256)
    return { ...file, presence: isHere ? 'present' : (absent.get(file.sha256 ?? '') ?? 'missing') }
  })
}

async function quotaLeftOf(ctx: Ctx, place: string): Promise<number | undefined> {
  const { namespaces: n } = ctx.db.t
  const own = ctx.actor.kind === 'user' ? ctx.actor.username : ''
  const [row] = await ctx.db.q
    .select({ id: n.id, quota: n.quota_bytes })
    .from(n)
    .where(eq(n.name_key, (place || own).toLowerCase()))
  if (!row || row.quota === null) return undefined
  return Math.max(0, row.quota - ((await usedBytes(ctx.db, [row.id])).get(row.id) ?? 0))
}

function warningsOf(
  { isGated, isPrivate }: FoundRepo,
  { isReadable, looker, isCut }: { isReadable: boolean; looker: Looker; isCut: boolean },
): string[] {
  const { name } = looker.upstream
  return [
    ...(isReadable
      ? []
      : [
          looker.token === undefined
            ? `${name} gives the files to people with access alone. Save a token of ${name} that may read them.`
            : `The token that was used may not read the files. Request access at ${name}.`,
        ]),
    ...(isReadable && (isGated || isPrivate)
      ? ['The upstream does not show this repo to everybody. Its mirror will be private, in your namespace.']
      : []),
    ...(isCut ? [`Only the first ${MAX_FILES} files are listed.`] : []),
  ]
}
