import type { UserActor } from '../../core/access/index.ts'
import { contentOf } from '../../core/lfs/testing.ts'
import { runJobs } from '../../core/jobs/testing.ts'
import type { World } from '../../testing.ts'
import { givenCommit } from '../content/testing.ts'
import type { Repo } from '../repos/index.ts'
import { givenObject } from '../uploads/testing.ts'
import { repoScan } from './job/jobs.ts'

/** Commits files with these bytes; `large` as large files. */
export async function givenFiles(
  world: World,
  owner: UserActor,
  repo: Repo,
  files: Record<string, Buffer>,
  { large = false, branch }: { large?: boolean; branch?: string } = {},
): Promise<string> {
  const operations = []
  for (const [path, content] of Object.entries(files)) {
    if (!large) operations.push({ op: 'add' as const, path, content })
    else {
      const { sha256, sizeBytes } = await givenObject(world, owner, repo, contentOf(content))
      operations.push({ op: 'add-lfs' as const, path, sha256, sizeBytes })
    }
  }
  const { commit } = await givenCommit(world, owner, repo, operations, branch === undefined ? {} : { branch })
  return commit
}

/** Runs the scans that are due. */
export const scanDue = (world: World): Promise<void> => runJobs(world.deps, [repoScan])
