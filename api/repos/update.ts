import { and, eq } from 'drizzle-orm'
import { actorId } from '../access/index.ts'
import type { GatedMode, Visibility } from '../../shared/vocabulary.ts'
import type { Ctx } from '../ctx.ts'
import type { Tx } from '../db/index.ts'
import { invalidField } from '../problems/index.ts'
import type { RepoAddress } from './address.ts'
import { auditRepo } from './audit.ts'
import { checkIfMatch, settingsEtag } from './etag.ts'
import { requireRepoToChange } from './find.ts'
import { findById, setRepo, type Repo } from './queries.ts'

/** Settings to change; what is left out stays. */
export interface RepoSettings {
  visibility?: Visibility | undefined
  /** `null`: not gated. */
  gated?: GatedMode | null | undefined
  /** Empty removes it. */
  description?: string | undefined
  defaultBranch?: string | undefined
  discussionsEnabled?: boolean | undefined
}

/**
 * Changes settings of a Repo. Problems: `repo-not-found`, `forbidden`, `precondition-failed`, and `validation-failed`
 * when the default branch is no branch of it.
 */
export async function updateRepo(
  ctx: Ctx,
  address: RepoAddress,
  settings: RepoSettings,
  ifMatch?: string,
): Promise<Repo> {
  return ctx.db.write(async (tx) => {
    const repo = await requireRepoToChange(tx, ctx, address, 'repo.settings')
    checkIfMatch(ifMatch, settingsEtag(repo))
    const { before, after } = difference(repo, settings)
    if (Object.keys(after).length === 0) return repo
    if (after.default_branch !== undefined) await requireBranch(tx, repo.id, after.default_branch)
    await setRepo(tx, repo.id, { ...after, updated_at: ctx.now() })
    await auditRepo(tx, ctx, 'repo.update', repo, { before, after })
    return (await findById(tx, repo.id, actorId(ctx.actor) ?? '')) ?? repo
  })
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
    default_branch: wanted.defaultBranch,
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
    throw invalidField('default_branch', 'the repository has no such branch', 'unknown-branch')
}
