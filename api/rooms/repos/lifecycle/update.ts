import { and, eq } from 'drizzle-orm'
import { actorId } from '../../../core/access/index.ts'
import type { GatedMode, Visibility } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { publish } from '../../../core/events/index.ts'
import { invalidField, Problem } from '../../../platform/problems/index.ts'
import type { RepoAddress } from '../address.ts'
import { auditRepo } from '../audit.ts'
import { checkIfMatch, settingsEtag } from '../etag.ts'
import { requireRepo, requireRepoToChange } from '../find.ts'
import { findById, setRepo, type Repo } from '../queries.ts'

/**
 * Reads what the head of a branch says of the repo, which is shown of the default branch; `undefined` without such a
 * branch. Given from outside, since content is no business of this room.
 */
export type ReadHead = (repo: Repo, branch: string) => Promise<WriteHead | undefined>

/** Writes what was read; `false`, with nothing written, when the branch has moved since. */
export type WriteHead = (tx: Tx) => Promise<boolean>

const maxAttempts = 5

/** Settings to change; what is left out stays. */
export interface RepoSettings {
  visibility?: Visibility | undefined
  /** `null`: not gated. */
  gated?: GatedMode | null | undefined
  /** Empty removes it. */
  description?: string | undefined
  defaultBranch?: { name: string; readHead: ReadHead } | undefined
  discussionsEnabled?: boolean | undefined
}

/**
 * Changes settings of a repo; a new default branch together with what its head says. Problems: `repo-not-found`,
 * `forbidden`, `precondition-failed`, and `validation-failed` when the default branch is no branch of it.
 */
export async function updateRepo(
  ctx: Ctx,
  address: RepoAddress,
  settings: RepoSettings,
  ifMatch?: string,
): Promise<Repo> {
  for (let attempt = 1; ; attempt++) {
    const writeHead = await headOf(ctx, address, settings)
    const updated = await ctx.db.write((tx) => update(tx, ctx, { address, settings, ifMatch, writeHead }))
    if (updated) return updated
    if (attempt === maxAttempts)
      throw new Problem('temporarily-unavailable', {
        detail: 'The branch is moving too fast to become the default one.',
        retryAfterS: 1,
      })
  }
}

/** Read before the transaction, which must not wait for git. */
async function headOf(
  ctx: Ctx,
  address: RepoAddress,
  { defaultBranch }: RepoSettings,
): Promise<WriteHead | undefined> {
  if (!defaultBranch) return undefined
  const repo = await requireRepo(ctx, address, 'repo.settings')
  return repo.defaultBranch === defaultBranch.name
    ? undefined
    : defaultBranch.readHead(repo, defaultBranch.name)
}

interface Update {
  address: RepoAddress
  settings: RepoSettings
  ifMatch: string | undefined
  writeHead: WriteHead | undefined
}

/** `undefined`: what was read of the new default branch is no longer so, and nothing may be changed. */
async function update(
  tx: Tx,
  ctx: Ctx,
  { address, settings, ifMatch, writeHead }: Update,
): Promise<Repo | undefined> {
  const repo = await requireRepoToChange(tx, ctx, address, 'repo.settings')
  checkIfMatch(ifMatch, settingsEtag(repo))
  const { before, after } = difference(repo, settings)
  if (Object.keys(after).length === 0) return repo
  if (after.visibility === 'public' && repo.isPersonalMirror)
    throw invalidField(
      'visibility',
      'its upstream does not show this repo to everybody, so its mirror stays private',
      'restricted-upstream',
    )
  if (after.default_branch !== undefined) {
    await requireBranch(tx, repo.id, after.default_branch)
    if (!(await writeHead?.(tx))) return undefined
  }
  await setRepo(tx, repo.id, { ...after, updated_at: ctx.now() })
  await auditRepo(tx, ctx, 'repo.update', repo, { before, after })
  const facts = () => ({ config: { ...after } })
  await publish(tx, ctx, { repoId: repo.id, event: 'repo.config', action: 'update', facts })
  return (await findById(tx, repo.id, actorId(ctx.actor) ?? '')) ?? repo
}

type Columns = {
  visibility?: Visibility
  gated?: GatedMode | null
  description?: string | null
  default_branch?: string
  discussions_enabled?: boolean
}

function difference(repo: Repo, wanted: RepoSettings): { before: Record<string, unknown>; after: Columns } {
  const now = {
    visibility: repo.visibility,
    gated: repo.gated,
    description: repo.description,
    default_branch: repo.defaultBranch,
    discussions_enabled: repo.discussionsEnabled,
  }
  const after = {
    visibility: wanted.visibility,
    gated: wanted.gated,
    description: wanted.description === '' ? null : wanted.description,
    default_branch: wanted.defaultBranch?.name,
    discussions_enabled: wanted.discussionsEnabled,
  }
  const keys = (Object.keys(now) as (keyof typeof now)[]).filter(
    (key) => after[key] !== undefined && after[key] !== now[key],
  )
  const pick = (from: Record<string, unknown>) => Object.fromEntries(keys.map((key) => [key, from[key]]))
  return { before: pick(now), after: pick(after) as Columns }
}

async function requireBranch({ q, t: { git_refs } }: Tx, repoId: string, branch: string): Promise<void> {
  const isIt = and(eq(git_refs.repo_id, repoId), eq(git_refs.name, `refs/heads/${branch}`))
  if ((await q.$count(git_refs, isIt)) === 0)
    throw invalidField('default_branch', 'the repo has no such branch', 'unknown-branch')
}
