import { eq } from 'drizzle-orm'
import { actorId } from '../../../core/access/index.ts'
import type { GatedMode, RepoType, Visibility } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { changeMark, newId, UniqueViolation, type Tx } from '../../../stores/db/index.ts'
import { publish } from '../../../core/events/index.ts'
import type { NamespaceRow } from '../../namespaces/index.ts'
import { invalidField, Problem } from '../../../platform/problems/index.ts'
import { addressKey, checkRepoName, fullKey, nameTaken } from '../address.ts'
import { auditRepo } from '../audit.ts'
import { gitattributes, readme, writeFirstCommit, type FirstFile, type WriteFirst } from './first-commit.ts'
import { addHead } from '../record-head.ts'
import { endRedirect, findById, holderOf, type Reader, type Repo } from '../queries.ts'
import { lockNamespaceFor, requireNamespaceFor } from './namespace-for.ts'
import { addGitRepo, forgetRepo } from '../../../core/git/index.ts'

/** A repo to be created. */
export interface NewRepo {
  type: RepoType
  ns: string
  name: string
  /** What the namespace says unless given. */
  visibility?: Visibility | undefined
  description?: string | undefined
  /** Written into the card. */
  licence?: string | undefined
  gated?: GatedMode | undefined
  /** Contents of a `.gitignore`. */
  gitignore?: string | undefined
  /** Short name; `main` unless given. */
  defaultBranch?: string | undefined
  /** Writes a README with the name as its title; one with the licence alone is written in any case. */
  initReadme?: boolean | undefined
}

type DecidedRepo = NewRepo & { visibility: Visibility; defaultBranch: string }

const usualBranch = 'main'
const licencePattern = /^[a-z0-9][a-z0-9.+-]{0,99}$/

function filesOf({ type, name, licence, gitignore, initReadme }: NewRepo): FirstFile[] {
  const ours = new Map<string, string>([['.gitattributes', gitattributes(type)]])
  if (gitignore) ours.set('.gitignore', gitignore)
  if (initReadme || licence !== undefined) ours.set('README.md', readme(name, licence, initReadme ?? false))
  return [...ours].map(([path, text]) => ({ path, bytes: Buffer.from(text) }))
}

async function requireFree(db: Reader, space: NamespaceRow, { type, name }: NewRepo): Promise<void> {
  const holder = await holderOf(db, { type, namespaceId: space.id, name })
  if (holder) throw nameTaken('name', holder)
}

/** A row that has no name yet and counts as deleted, since the git engine stores nothing for a repo without a row. */
async function addUnborn(
  tx: Tx,
  ctx: Ctx,
  space: NamespaceRow,
  { type, name, ...wanted }: DecidedRepo,
): Promise<string> {
  const now = ctx.now()
  const id = newId()
  await tx.q.insert(tx.t.repos).values({
    id,
    type,
    namespace_id: space.id,
    name,
    name_key: '',
    visibility: wanted.visibility,
    gated: wanted.gated ?? null,
    description: wanted.description || null,
    default_branch: wanted.defaultBranch,
    discussions_enabled: true,
    created_by: actorId(ctx.actor),
    created_at: now,
    updated_at: now,
    deleted_at: now,
    purging_at: now,
    likes: 0,
  })
  await addHead(tx, { id, type })
  await addGitRepo(tx, id)
  return id
}

/** Gives the repo its name, together with its first commit. The rights are asked again: they may have ended meanwhile. */
async function reveal(tx: Tx, ctx: Ctx, id: string, wanted: DecidedRepo): Promise<void> {
  const { type, name } = wanted
  const space = await lockNamespaceFor(ctx, tx, wanted.ns, 'namespace.create-repo')
  await requireFree(tx, space, wanted)
  await tx.q
    .update(tx.t.repos)
    .set({
      name_key: name.toLowerCase(),
      full_key: fullKey({ ns: space.name, name }),
      address_key: addressKey(type, space.id, name),
      deleted_at: null,
      purging_at: null,
      changed: changeMark(tx.t.repos.changed),
    })
    .where(eq(tx.t.repos.id, id))
  await endRedirect(tx, { type, ns: space.name, name })
  const after = { visibility: wanted.visibility, gated: wanted.gated ?? null }
  await auditRepo(tx, ctx, 'repo.create', { id, type, ns: space.name, name }, { after })
  await publish(tx, ctx, { repoId: id, event: 'repo', action: 'create' })
}

/**
 * Creates a repo with its first commit, all or nothing. Creating one at an old address ends that redirect. `write` makes
 * that commit, where it holds more than what every repo begins with.
 * Problems: `unauthenticated`, `forbidden`, `insufficient-scope`, `invalid-name`, `validation-failed`, `name-taken`
 * (revealed only to callers who may create there).
 */
export async function createRepo(
  ctx: Ctx,
  given: NewRepo,
  write: WriteFirst = writeFirstCommit,
): Promise<Repo> {
  const space = await requireNamespaceFor(ctx, ctx.db, given.ns, 'namespace.create-repo')
  const wanted = {
    ...given,
    defaultBranch: given.defaultBranch ?? usualBranch,
    visibility: given.visibility ?? space.default_visibility ?? 'public',
    licence: given.licence?.trim().toLowerCase() || undefined,
  }
  checkRepoName('name', wanted.name)
  if (wanted.licence !== undefined && !licencePattern.test(wanted.licence))
    throw invalidField('licence', 'is not an identifier such as apache-2.0')
  const files = filesOf(wanted)
  await requireFree(ctx.db, space, wanted)
  const id = await ctx.db.write((tx) => addUnborn(tx, ctx, space, wanted))
  try {
    await write(ctx, {
      repo: { id, type: wanted.type },
      branch: wanted.defaultBranch,
      files,
      reveal: (tx) => reveal(tx, ctx, id, wanted),
    })
  } catch (error) {
    await dropUnborn(ctx, id)
    if (error instanceof UniqueViolation) await requireFree(ctx.db, space, wanted)
    throw error
  }
  const repo = await findById(ctx.db, id, actorId(ctx.actor) ?? '')
  if (!repo) throw new Problem('repo-not-found')
  return repo
}

/** What cannot be removed now the nightly `gc` finds later. */
async function dropUnborn(ctx: Ctx, id: string): Promise<void> {
  const drop = ctx.db.write(async (tx) => {
    const { q, t } = tx
    await forgetRepo(tx, id, ctx.now())
    await q.delete(t.repo_tags).where(eq(t.repo_tags.repo_id, id))
    await q.delete(t.repos).where(eq(t.repos.id, id))
  })
  await drop.catch((err: unknown) =>
    ctx.log.warn({ err, repo: id }, 'a repo that was not created could not be removed'),
  )
}
