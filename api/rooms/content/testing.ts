import type { UserActor } from '../../core/access/index.ts'
import type { Repo } from '../repos/index.ts'
import { collect } from '../../stores/storage/index.ts'
import type { World } from '../../testing.ts'
import { commit, type CommitInput, type CommitOutcome } from './commit/commit.ts'
import { openFile } from './read/file.ts'
import type { CommitOperation } from './commit/operations.ts'
import { listTree } from './read/tree.ts'

/** An operation that adds a text file. */
export const add = (path: string, text = `${path}\n`): CommitOperation => ({
  op: 'add',
  path,
  content: Buffer.from(text),
})

/** A commit of these operations. */
export function givenCommit(
  world: World,
  actor: UserActor,
  repo: Repo,
  operations: CommitInput['operations'],
  more: Partial<CommitInput> = {},
): Promise<CommitOutcome> {
  return commit(world.ctx(actor), repo, { title: 'change', via: 'api', operations, ...more })
}

/** What a file says, as a download gives it. */
export async function textOf(
  world: World,
  actor: UserActor,
  repo: Repo,
  path: string,
  revision?: string,
): Promise<string> {
  const file = await openFile(world.ctx(actor), repo, {
    path,
    ...(revision === undefined ? {} : { revision }),
  })
  return (await collect(await file.open(), 2 ** 26)).toString('utf8')
}

/** Every file's path at the head. */
export async function pathsOf(
  world: World,
  actor: UserActor,
  repo: Repo,
  revision?: string,
): Promise<string[]> {
  const { entries } = await listTree(world.ctx(actor), repo, {
    isRecursive: true,
    withLastCommits: false,
    limit: 100_000,
    ...(revision === undefined ? {} : { revision }),
  })
  return entries.filter(({ kind }) => kind === 'file').map(({ path }) => path)
}
