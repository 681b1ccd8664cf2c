import type { Visibility } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { createRepo, deleteRepo, requireRepo, type Repo, type RepoAddress } from '../../repos/index.ts'
import { commit } from './commit.ts'
import type { CommitOperation } from './operations.ts'
import { describeEntries, openRevision, type DescribedEntry, type Revision } from '../read/revision.ts'

/** Files of one commit: below what a commit may have. */
const FILES_PER_COMMIT = 20_000
/** All are held in memory, as those of an archive are. */
const MAX_FILES = 200_000

/**
 * A new repo of the caller's with the files at the head of another, in one commit for every 20 000 of them; large files
 * are shared, not copied. Private unless said otherwise; nothing of it stays when a file cannot be taken over. Submodules are left out.
 * Problems: `repo-not-found`, `gated`, and those of creating a repo and of a commit.
 */
export async function duplicateRepo(
  ctx: Ctx,
  from: RepoAddress,
  to: { ns: string; name: string },
  visibility: Visibility | undefined,
): Promise<Repo> {
  const source = await requireRepo(ctx, from, 'repo.files')
  const description = source.description ?? undefined
  const made = await createRepo(ctx, {
    type: source.type,
    ...to,
    visibility: visibility ?? 'private',
    description,
  })
  // What is begun is finished, whether or not the caller waits for it.
  const lasting = { ...ctx, signal: ctx.stopping }
  try {
    if (source.headCommit)
      await copyFiles(lasting, source, await openRevision(lasting, source.id, source.headCommit), made)
    return await requireRepo(ctx, made, 'repo.read')
  } catch (error) {
    await deleteRepo(ctx, made)
    throw error
  }
}

async function filesOf({ snapshot, commit: sha }: Revision): Promise<DescribedEntry[]> {
  const root = await snapshot.entryAt(sha, '')
  const files = []
  if (root)
    for await (const entry of snapshot.walk(root.oid)) {
      if (entry.kind !== 'file' && entry.kind !== 'symlink') continue
      if (files.push(entry) > MAX_FILES)
        throw new Problem('validation-failed', {
          detail: `A repo of more than ${MAX_FILES} files cannot be duplicated here. Clone it and push it with git.`,
        })
    }
  return describeEntries(snapshot, files)
}

async function copyFiles(ctx: Ctx, source: Repo, revision: Revision, made: Repo): Promise<void> {
  const files = await filesOf(revision)
  const kept = new Set(files.map(({ path }) => path))
  const ours = await filesOf(await openRevision(ctx, made.id))
  const surplus = ours
    .filter(({ path }) => !kept.has(path))
    .map(({ path }) => ({ op: 'delete' as const, path }))
  const title = `Duplicate from ${source.ns}/${source.name}`
  for (let at = 0; at < Math.max(1, files.length); at += FILES_PER_COMMIT) {
    const some = files.slice(at, at + FILES_PER_COMMIT)
    await commit(ctx, made, {
      title,
      operations: operationsOf(revision, some, at === 0 ? surplus : []),
      via: 'api',
    })
  }
}

async function* operationsOf(
  { snapshot, commit: sha }: Revision,
  files: DescribedEntry[],
  first: CommitOperation[],
): AsyncGenerator<CommitOperation> {
  yield* first
  for (const { path, oid, lfs, mode } of files) {
    if (lfs) {
      yield { op: 'add-lfs', path, sha256: lfs.sha256, sizeBytes: lfs.sizeBytes }
      continue
    }
    const blob = await snapshot.openBlob(oid)
    if (!blob) throw new Problem('internal', { cause: new Error(`blob ${oid} of ${sha} is missing`) })
    yield { op: 'add', path, mode, content: { source: blob.source, sizeBytes: blob.sizeBytes } }
  }
}
