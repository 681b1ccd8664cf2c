import type { Deps } from '../../core/ctx.ts'
import { listAllRepos, pagePath } from '../../rooms/repos/index.ts'
import { CommandFailure } from './command.ts'

/** The id of the repo that a person names: `ns/name`, `datasets/ns/name`, or the id itself. */
export async function findRepoId(deps: Deps, name: string): Promise<string> {
  for await (const repo of listAllRepos(deps.db))
    if (pagePath(repo) === name || repo.id === name) return repo.id
  throw new CommandFailure(`There is no repo "${name}"; write <ns>/<name>, or datasets/<ns>/<name>.`, 2)
}
