import type { Ctx } from '../../../core/ctx.ts'
import {
  createRepo,
  FIRST_TITLE,
  type FirstCommit,
  type FirstFile,
  type NewRepo,
  type Repo,
} from '../../repos/index.ts'
import { commitTo } from './commit.ts'

/**
 * Creates a repo whose first commit has these files as well; they take the place of what every repo begins with. They are
 * looked at as those of any commit: paths, sizes, pointers, the quota. Where one is refused there is no repo.
 */
export function createRepoWithFiles(ctx: Ctx, wanted: NewRepo, files: FirstFile[]): Promise<Repo> {
  if (files.length === 0) return createRepo(ctx, wanted)
  return createRepo(ctx, wanted, (_, first) => writeFiles(ctx, first, files))
}

async function writeFiles(
  ctx: Ctx,
  { repo, branch, files: usual, reveal }: FirstCommit,
  files: FirstFile[],
): Promise<void> {
  const taken = new Set(files.map(({ path }) => path))
  const all = [...files, ...usual.filter(({ path }) => !taken.has(path))]
  const operations = all.map(({ path, bytes }) => ({ op: 'add' as const, path, content: bytes }))
  await commitTo(ctx, repo, { branch, title: FIRST_TITLE, operations, via: 'api' }, { alongside: reveal })
}
