import { and, eq, ne } from 'drizzle-orm'
import { limits, type LabelColor } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { newId, type Tx } from '../../../stores/db/index.ts'
import { auditRepo, type Repo, type RepoAddress } from '../../repos/index.ts'
import { lineOf, requireForum, requireForumToChange } from '../require.ts'
import { keyOfName } from './name-key.ts'
import { findLabel, findLabels, type Label } from './queries.ts'

/** What a label is to be; what is left out of a change stays. */
export interface LabelChange {
  name?: string | undefined
  color?: LabelColor | undefined
  description?: string | undefined
}

export type NewLabel = LabelChange & { name: string; color: LabelColor }

/** The labels of a repo, by name, for all who may read it. Problem `discussions-disabled`. */
export async function listLabels(ctx: Ctx, address: RepoAddress): Promise<Label[]> {
  const repo = await requireForum(ctx, address, 'repo.read')
  return findLabels(ctx.db, repo.id)
}

/**
 * Adds a label, for those who may write to the repo. Problems `validation-failed`, `already-exists` for a name that a label
 * has in any case, and `state-conflict` for one too many.
 */
export async function createLabel(ctx: Ctx, address: RepoAddress, wanted: NewLabel): Promise<Label> {
  const text = textsOf(wanted)
  return ctx.db.write(async (tx) => {
    const repo = await requireForumToChange(tx, ctx, address, 'repo.edit-discussions')
    const { discussion_labels: l } = tx.t
    if ((await tx.q.$count(l, eq(l.repo_id, repo.id))) >= limits.labels)
      throw new Problem('state-conflict', {
        detail: `A repo has at most ${limits.labels} labels. Delete one first.`,
      })
    const label: Label = {
      id: newId(),
      name: text.name ?? '',
      color: wanted.color,
      description: text.description ?? '',
    }
    await requireFreeName(tx, repo, label)
    const row = { ...label, repo_id: repo.id, name_key: keyOfName(label.name), created_at: ctx.now() }
    await tx.q.insert(l).values(row)
    await auditRepo(tx, ctx, 'repo.label.create', repo, { after: { ...label } })
    return label
  })
}

/** Renames, recolours or describes a label, wherever it is. Problems as of `createLabel`, and `not-found`. */
export async function updateLabel(
  ctx: Ctx,
  address: RepoAddress,
  id: string,
  wanted: LabelChange,
): Promise<Label> {
  const text = textsOf(wanted)
  return ctx.db.write(async (tx) => {
    const repo = await requireForumToChange(tx, ctx, address, 'repo.edit-discussions')
    const before = await requireLabel(tx, repo, id)
    const after: Label = {
      id,
      name: text.name ?? before.name,
      color: wanted.color ?? before.color,
      description: text.description ?? before.description,
    }
    await requireFreeName(tx, repo, after)
    const { discussion_labels: l } = tx.t
    await tx.q
      .update(l)
      .set({ ...after, name_key: keyOfName(after.name) })
      .where(eq(l.id, id))
    await auditRepo(tx, ctx, 'repo.label.update', repo, { before: { ...before }, after: { ...after } })
    return after
  })
}

/** Deletes a label and takes it off every discussion; threads keep what they say of it. Problem `not-found`. */
export async function deleteLabel(ctx: Ctx, address: RepoAddress, id: string): Promise<void> {
  await ctx.db.write(async (tx) => {
    const repo = await requireForumToChange(tx, ctx, address, 'repo.edit-discussions')
    const before = await requireLabel(tx, repo, id)
    const { discussion_labels: l } = tx.t
    await tx.q.delete(l).where(eq(l.id, id))
    await auditRepo(tx, ctx, 'repo.label.delete', repo, { before: { ...before } })
  })
}

/** Its texts on one line. Problem `validation-failed`. */
function textsOf({ name, description }: LabelChange): Pick<LabelChange, 'name' | 'description'> {
  const [called, about] = [name?.normalize('NFC'), description?.normalize('NFC')]
  return {
    name: called === undefined ? undefined : lineOf('name', called, { most: limits.labelName }),
    description:
      about === undefined
        ? undefined
        : lineOf('description', about, { most: limits.labelDescription, mayBeEmpty: true }),
  }
}

async function requireLabel(tx: Tx, repo: Repo, id: string): Promise<Label> {
  const label = await findLabel(tx, repo.id, id)
  if (!label) throw new Problem('not-found', { detail: 'There is no such label in this repo.' })
  return label
}

async function requireFreeName({ q, t }: Tx, repo: Repo, { id, name }: Label): Promise<void> {
  const { discussion_labels: l } = t
  const [taken] = await q
    .select({ name: l.name })
    .from(l)
    .where(and(eq(l.repo_id, repo.id), eq(l.name_key, keyOfName(name)), ne(l.id, id)))
  if (!taken) return
  throw new Problem('already-exists', {
    detail: `A label "${taken.name}" exists. Use that one, or choose another name.`,
  })
}
