import type { RepoType } from '../../../shared/vocabulary.ts'
import type { Ctx } from '../../core/ctx.ts'
import {
  filesToRead,
  findingsOf,
  loadVocabulary,
  metadataOf,
  papersIn,
  type RepoNeed,
} from '../../core/metadata/index.ts'
import { bytesReader, inspect, type FileFacts } from '../../core/parsers/index.ts'
import { parseCard } from '../content/index.ts'
import { encodedName } from '../mirrors/index.ts'
import { look, type Looker } from './ask.ts'
import type { ListedFile } from './found.ts'

/** Settings and cards are small; what is larger is not read before a pull. */
const MAX_READ_BYTES = 2 * 1024 * 1024
const README = 'README.md'

/** A repo of an upstream at a commit. */
export interface At {
  type: RepoType
  /** `ns/name` there. */
  name: string
  commit: string
}

/** What the card and the settings of a repo say. */
export interface ReadFiles {
  card?: string
  frontMatter: Record<string, unknown>
  needs: RepoNeed[]
}

/** Reads the card and the settings of a repo at its upstream; what cannot be read says nothing. */
export async function readFiles(
  ctx: Ctx,
  looker: Looker,
  at: At,
  files: readonly ListedFile[],
): Promise<ReadFiles> {
  const small = files.filter(({ path, sha256, sizeBytes }) => {
    const isText = path === README || path.endsWith('.json')
    return isText && sha256 === undefined && sizeBytes <= MAX_READ_BYTES
  })
  const readable = new Set(small.map(({ path }) => path))
  const listed = files.map(({ path, sizeBytes }) => ({ path, sizeBytes }))
  const settings = filesToRead(at.type, listed).filter((path) => readable.has(path))
  const [readme, ...read] = await Promise.all([
    readable.has(README) ? readSmall(ctx, looker, at, README) : undefined,
    ...settings.map(
      async (path) => [path, await factsOf(ctx, path, await readSmall(ctx, looker, at, path))] as const,
    ),
  ])
  const facts = new Map(read.flatMap(([path, each]) => (each ? [[path, each] as const] : [])))
  const card = readme?.toString('utf8')
  const { frontMatter, body } = await parseCard(card ?? '')
  const found = findingsOf({ type: at.type, files: listed, facts })
  const matter = { frontMatter: frontMatter ?? null, papers: papersIn(body) }
  const { needs } = metadataOf(at.type, matter, found, await loadVocabulary())
  return { ...(card === undefined ? {} : { card }), frontMatter: frontMatter ?? {}, needs }
}

async function readSmall(ctx: Ctx, looker: Looker, { type, name, commit }: At, path: string) {
  const prefix = type === 'dataset' ? '/datasets/' : '/'
  const file = path.split('/').map(encodeURIComponent).join('/')
  const url = `${prefix}${encodedName(name)}/resolve/${commit}/${file}`
  const answer = await look(ctx, looker, url, { maxBytes: MAX_READ_BYTES })
  return answer.status === 200 ? answer.body : undefined
}

async function factsOf(ctx: Ctx, path: string, bytes: Buffer | undefined): Promise<FileFacts | undefined> {
  if (!bytes) return undefined
  return inspect({ path }, bytesReader(bytes), ctx.signal).catch((error: unknown) => {
    ctx.signal.throwIfAborted()
    ctx.log.info({ err: error, path }, 'a file of an upstream could not be read')
    return undefined
  })
}
