import { asc, eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { Db, Tables } from '../../stores/db/index.ts'

/** Another hub that this one can read. */
export interface Upstream {
  id: string
  name: string
  /** Without a slash at its end. */
  baseUrl: string
  enabled: boolean
  /** Where its dataset viewer answers. */
  viewerUrl: string
  /** Begins the names of namespaces that hold its mirrors; empty where they keep their names. */
  namespacePrefix: string
  /** Its configuration is in files or the environment, and read-only here. */
  isConfigured: boolean
  /** The token of the instance, where there is one. */
  token: () => string | undefined
}

export type UpstreamRow = Tables['upstreams']['$inferSelect']

/** The public hub, which is always there. */
const PUBLIC_HUB = 'huggingface'
const PUBLIC_HUB_NAME = 'Hugging Face Hub'

/** What an upstream may be called. */
export const UPSTREAM_ID = /^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$/

export const tokenContext = (id: string) => `upstream:${id}`

/** `https://hub.example` → `https://datasets-server.hub.example`. */
function viewerUrlOf(baseUrl: string): string {
  const url = new URL(baseUrl)
  url.hostname = `datasets-server.${url.hostname}`
  return url.href.replace(/\/$/, '')
}

function configured({ config }: Pick<Ctx, 'config'>): Upstream[] {
  return Object.entries(config.upstreams).map(([id, given]) => ({
    id,
    name: id === PUBLIC_HUB ? PUBLIC_HUB_NAME : id,
    baseUrl: given.base_url,
    enabled: given.enabled,
    viewerUrl: given.viewer_url || viewerUrlOf(given.base_url),
    namespacePrefix: given.namespace_prefix,
    isConfigured: true,
    token: () => given.token || undefined,
  }))
}

export function upstreamOfRow({ secrets }: Pick<Ctx, 'secrets'>, row: UpstreamRow): Upstream {
  return {
    id: row.id,
    name: row.name,
    baseUrl: row.base_url,
    enabled: row.enabled,
    viewerUrl: row.viewer_url ?? viewerUrlOf(row.base_url),
    namespacePrefix: row.namespace_prefix,
    isConfigured: false,
    token: () => (row.token === null ? undefined : secrets.open(tokenContext(row.id), row.token)),
  }
}

/** Every upstream: the public hub, the others of the configuration, those that admins added; by id. */
export async function listUpstreams(ctx: Pick<Ctx, 'config' | 'db' | 'secrets'>): Promise<Upstream[]> {
  const { q, t } = ctx.db
  const given = configured(ctx)
  const ids = new Set(given.map(({ id }) => id))
  const rows = await q.select().from(t.upstreams).orderBy(asc(t.upstreams.id))
  const added = rows.filter(({ id }) => !ids.has(id)).map((row) => upstreamOfRow(ctx, row))
  const rank = ({ id }: Upstream) => (id === PUBLIC_HUB ? 0 : 1)
  return [...given, ...added].toSorted((a, b) => rank(a) - rank(b) || a.id.localeCompare(b.id))
}

/** The upstream `id`, enabled or not. */
export async function findUpstream(
  ctx: Pick<Ctx, 'config' | 'secrets'> & { db: Pick<Db, 'q' | 't'> },
  id: string,
): Promise<Upstream | undefined> {
  const given = configured(ctx).find((upstream) => upstream.id === id)
  if (given) return given
  // Postgres refuses a question that holds NUL.
  if (!UPSTREAM_ID.test(id)) return undefined
  const { q, t } = ctx.db
  const [row] = await q.select().from(t.upstreams).where(eq(t.upstreams.id, id))
  return row && upstreamOfRow(ctx, row)
}

/** An upstream that people may read. Problem `not-found`, also for one that is switched off. */
export async function requireUpstream(
  ctx: Pick<Ctx, 'config' | 'db' | 'secrets'>,
  id: string,
): Promise<Upstream> {
  const found = await findUpstream(ctx, id)
  if (found?.enabled) return found
  throw new Problem('not-found', {
    detail: `There is no upstream ${id}, or it is disabled. GET /upstreams lists those you can use.`,
  })
}
