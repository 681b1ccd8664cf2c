import { eq } from 'drizzle-orm'
import { requireInstanceAdmin } from '../../core/access/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { audit } from '../../core/events/index.ts'
import { invalidField, Problem } from '../../platform/problems/index.ts'
import { UniqueViolation, type Tables, type Tx } from '../../stores/db/index.ts'
import {
  findUpstream,
  listUpstreams,
  tokenContext,
  upstreamOfRow,
  type Upstream,
  type UpstreamRow,
} from './upstream.ts'

/** What an admin may say of an upstream. `null` takes a value away. */
export interface UpstreamSettings {
  name?: string | undefined
  baseUrl?: string | undefined
  enabled?: boolean | undefined
  viewerUrl?: string | null | undefined
  namespacePrefix?: string | undefined
  token?: string | null | undefined
}

export type UpstreamState = Tables['upstream_states']['$inferSelect']

const MAX_UPSTREAMS = 100

/** Every upstream, with what the last check found. For instance admins. */
export async function listAllUpstreams(
  ctx: Ctx,
): Promise<{ upstream: Upstream; state: UpstreamState | undefined }[]> {
  requireInstanceAdmin(ctx.actor)
  const states = await listStates(ctx)
  return (await listUpstreams(ctx)).map((upstream) => ({ upstream, state: states.get(upstream.id) }))
}

export async function listStates({ db }: Pick<Ctx, 'db'>): Promise<Map<string, UpstreamState>> {
  const rows = await db.q.select().from(db.t.upstream_states)
  return new Map(rows.map((row) => [row.upstream, row]))
}

/** Adds an upstream. For instance admins. Problems `already-exists`, `validation-failed`. */
export async function createUpstream(
  ctx: Ctx,
  id: string,
  given: UpstreamSettings & { baseUrl: string },
): Promise<Upstream> {
  requireInstanceAdmin(ctx.actor)
  const taken = () => new Problem('already-exists', { detail: `There is an upstream ${id} already.` })
  if (await findUpstream(ctx, id)) throw taken()
  const now = ctx.now()
  const by = ctx.actor.kind === 'user' ? ctx.actor.id : null
  const row: UpstreamRow = {
    id,
    name: given.name ?? id,
    base_url: originAndPath('base_url', given.baseUrl),
    enabled: given.enabled ?? true,
    viewer_url: given.viewerUrl ? originAndPath('viewer_url', given.viewerUrl) : null,
    namespace_prefix: given.namespacePrefix ?? '',
    token: given.token ? ctx.secrets.seal(tokenContext(id), given.token) : null,
    created_by: by,
    created_at: now,
    updated_at: now,
  }
  try {
    await ctx.db.write(async (tx) => {
      if ((await tx.q.$count(tx.t.upstreams)) >= MAX_UPSTREAMS)
        throw invalidField('id', `at most ${MAX_UPSTREAMS} upstreams; delete one first`, 'too-many')
      await tx.q.insert(tx.t.upstreams).values(row)
      await audit(tx, ctx, { action: 'upstream.create', target: targetOf(row), after: factsOf(row) })
    })
  } catch (error) {
    throw error instanceof UniqueViolation ? taken() : error
  }
  return upstreamOfRow(ctx, row)
}

/** Changes an upstream that was added here. For instance admins. Problems `not-found`, `state-conflict`. */
export async function updateUpstream(ctx: Ctx, id: string, given: UpstreamSettings): Promise<Upstream> {
  requireInstanceAdmin(ctx.actor)
  const row = await ctx.db.write(async (tx) => {
    const { upstreams: u } = tx.t
    const before = await requireAdded(ctx, tx, id)
    const after: UpstreamRow = {
      ...before,
      ...(given.name === undefined ? {} : { name: given.name }),
      ...(given.baseUrl === undefined ? {} : { base_url: originAndPath('base_url', given.baseUrl) }),
      ...(given.enabled === undefined ? {} : { enabled: given.enabled }),
      ...(given.viewerUrl === undefined
        ? {}
        : { viewer_url: given.viewerUrl === null ? null : originAndPath('viewer_url', given.viewerUrl) }),
      ...(given.namespacePrefix === undefined ? {} : { namespace_prefix: given.namespacePrefix }),
      ...(given.token === undefined
        ? {}
        : { token: given.token === null ? null : ctx.secrets.seal(tokenContext(id), given.token) }),
      updated_at: ctx.now(),
    }
    // A token is for the host that its admin meant.
    if (after.base_url !== before.base_url && given.token === undefined) after.token = null
    await tx.q.update(u).set(after).where(eq(u.id, id))
    if (after.base_url !== before.base_url || given.token !== undefined) await dropFindings(tx, id)
    await audit(tx, ctx, {
      action: 'upstream.update',
      target: targetOf(after),
      before: factsOf(before),
      after: factsOf(after),
    })
    return after
  })
  return upstreamOfRow(ctx, row)
}

/** Removes an upstream that was added here, with the tokens saved for it. Its mirrors stay. For instance admins. */
export async function deleteUpstream(ctx: Ctx, id: string): Promise<void> {
  requireInstanceAdmin(ctx.actor)
  await ctx.db.write(async (tx) => {
    const row = await requireAdded(ctx, tx, id)
    await tx.q.delete(tx.t.upstreams).where(eq(tx.t.upstreams.id, id))
    await tx.q.delete(tx.t.upstream_states).where(eq(tx.t.upstream_states.upstream, id))
    await tx.q.delete(tx.t.upstream_tokens).where(eq(tx.t.upstream_tokens.upstream, id))
    await audit(tx, ctx, { action: 'upstream.delete', target: targetOf(row), before: factsOf(row) })
  })
}

/** The last check was of another address, or with another token. */
async function dropFindings({ q, t: { upstream_states: s } }: Tx, id: string): Promise<void> {
  await q.update(s).set({ healthy: null, checked_at: null, findings: null }).where(eq(s.upstream, id))
}

type Reader = Pick<Ctx['db'], 'q' | 't'>

async function requireAdded(ctx: Ctx, tx: Reader, id: string): Promise<UpstreamRow> {
  const { upstreams: u } = tx.t
  const found = await findUpstream({ ...ctx, db: tx }, id)
  if (!found) throw new Problem('not-found', { detail: `There is no upstream ${id}.` })
  if (found.isConfigured)
    throw new Problem('state-conflict', {
      detail: `The configuration defines the upstream ${id}. Change the keys upstreams.${id}.* and restart the server.`,
    })
  const [row] = await tx.q.select().from(u).where(eq(u.id, id))
  if (!row) throw new Problem('not-found')
  return row
}

const targetOf = ({ id, name }: UpstreamRow) => ({ type: 'upstream', id, name })

const factsOf = ({ base_url, enabled, viewer_url, namespace_prefix, token }: UpstreamRow) => ({
  base_url,
  enabled,
  viewer_url,
  namespace_prefix,
  has_token: token !== null,
})

/** The address of a hub, without a slash at its end. */
function originAndPath(field: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isHub = url && ['http:', 'https:'].includes(url.protocol) && !url.username && !url.search && !url.hash
  if (!isHub) throw invalidField(field, 'must be an address such as https://hub.example', 'invalid')
  return url.href.replace(/\/+$/, '')
}
