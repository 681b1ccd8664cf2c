import { join } from 'node:path'
import { checks } from '../housekeeping.ts'
import type { CheckOptions } from '../../core/check.ts'
import type { Deps } from '../../core/ctx.ts'
import { exportRepository } from '../../core/git/index.ts'
import { listAllRepos, pagePath, type Repo } from '../../rooms/repos/index.ts'
import { configOf, type Command } from './command.ts'
import { findRepoId } from './find-repo.ts'
import { closeDeps, loggerOf, openDeps } from './stores.ts'

/** A deleted repo has lost its address, which another may hold. */
const folderOf = (repo: Repo) => `${pagePath(repo)}${repo.isDeleted ? `@${repo.id}` : ''}.git`

/** Prints one JSON line per finding; answers how many are errors that stand. */
export async function runChecks(
  deps: Deps,
  options: CheckOptions,
  out: (text: string) => void,
): Promise<number> {
  let errors = 0
  for (const check of checks)
    for await (const finding of check.run(deps, options)) {
      if (finding.severity === 'error' && !finding.repaired) errors++
      out(`${JSON.stringify(finding)}\n`)
    }
  return errors
}

export const fsck: Command = {
  usage: '[--deep] [--repair] [--repo <ns>/<name>] [--export <folder>]',
  summary: 'Check everything stored, beside a running server; or export Repos as bare git repositories',
  options: {
    deep: { type: 'boolean' },
    repair: { type: 'boolean' },
    repo: { type: 'string' },
    export: { type: 'string' },
  },
  async run(args, shell) {
    const config = configOf(args, shell)
    const deps = await openDeps(config, loggerOf(config))
    try {
      const { values } = args
      const repoId = typeof values['repo'] === 'string' ? await findRepoId(deps, values['repo']) : undefined
      if (typeof values['export'] === 'string') {
        for await (const repo of listAllRepos(deps.db))
          if (repoId === undefined || repoId === repo.id)
            await exportRepository(deps.git, repo.id, join(values['export'], folderOf(repo)))
        return 0
      }
      const options = { deep: values['deep'] === true, repair: values['repair'] === true }
      const errors = await runChecks(deps, repoId === undefined ? options : { ...options, repoId }, shell.out)
      shell.err(errors === 0 ? 'Nothing is damaged.\n' : `${errors} errors.\n`)
      return errors === 0 ? 0 : 1
    } finally {
      await closeDeps(deps)
    }
  },
}
