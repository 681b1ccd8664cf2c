import { z } from 'zod'
import type { Ctx } from '../../core/ctx.ts'
import { planDataset } from '../datasets/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import { jsonOf } from '../upstreams/index.ts'
import { look, type Looker } from './ask.ts'
import type { ListedFile } from './found.ts'

/** A part of a dataset that is loaded by its name. */
export interface DiscoveredConfig {
  name: string
  splits: string[]
  /** Paths of its large files, as far as the card tells. */
  files: string[]
}

type NamedConfig = Omit<DiscoveredConfig, 'files'>

const VIEWER_MS = 5_000
const MAX_CONFIGS = 500
const MAX_SPLITS = 100

const Splits = z.object({ splits: z.array(z.object({ config: z.string(), split: z.string() })) })
const Cards = z.array(
  z.object({
    config_name: z.string(),
    data_files: z
      .union([
        z.array(z.union([z.string(), z.object({ split: z.string().optional() })])),
        z.string(),
        z.record(z.string(), z.unknown()),
      ])
      .optional(),
  }),
)

/** The configs of a dataset: as the viewer of its upstream knows them, else as its card says. */
export async function configsOf(
  ctx: Ctx,
  looker: Looker,
  { ns, name }: { ns: string; name: string },
  { files, frontMatter }: { files: readonly ListedFile[]; frontMatter: Record<string, unknown> },
): Promise<DiscoveredConfig[]> {
  const named = (await fromViewer(ctx, looker, `${ns}/${name}`)) ?? fromCard(frontMatter)
  if (named.length === 0) return []
  const large = new Set(files.filter(({ sha256 }) => sha256 !== undefined).map(({ path }) => path))
  const paths = files.map(({ path }) => path)
  const { configs } = await planDataset({ paths, name, matter: frontMatter })
  return named.map((config) => {
    const planned = configs.find((one) => one.name === config.name)?.splits ?? []
    const own = new Set(planned.flatMap((split) => split.files))
    return { ...config, files: [...own].filter((path) => large.has(path)) }
  })
}

/** The viewer has an address of its own, where the token does not go. */
async function fromViewer(ctx: Ctx, looker: Looker, name: string): Promise<NamedConfig[] | undefined> {
  const { viewerUrl } = looker.upstream
  if (viewerUrl === '') return undefined
  const anyone: Looker = { ...looker, token: undefined, identity: 'viewer' }
  const url = `${viewerUrl}/splits?dataset=${encodeURIComponent(name)}`
  try {
    const answer = await look(ctx, anyone, url, { totalMs: VIEWER_MS, maxBytes: 4 * 1024 * 1024 })
    const parsed = answer.status === 200 ? Splits.safeParse(jsonOf(looker, answer)) : undefined
    return parsed?.success ? grouped(parsed.data.splits) : undefined
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function grouped(splits: readonly { config: string; split: string }[]): NamedConfig[] {
  const configs = new Map<string, string[]>()
  for (const { config, split } of splits) {
    const known = configs.get(config) ?? []
    if (configs.size < MAX_CONFIGS || configs.has(config)) configs.set(config, [...known, split])
  }
  return [...configs].map(([name, own]) => ({ name, splits: own.slice(0, MAX_SPLITS) }))
}

function fromCard(frontMatter: Record<string, unknown>): NamedConfig[] {
  const parsed = Cards.safeParse(frontMatter['configs'])
  if (!parsed.success) return []
  return parsed.data.slice(0, MAX_CONFIGS).map(({ config_name: name, data_files: files }) => {
    const named = Array.isArray(files)
      ? files.flatMap((file) => (typeof file === 'string' ? [] : (file.split ?? [])))
      : typeof files === 'object'
        ? Object.keys(files)
        : []
    return { name, splits: [...new Set(named.length > 0 ? named : ['train'])].slice(0, MAX_SPLITS) }
  })
}
