import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { checks } from '../housekeeping.ts'
import type { CheckOptions, Finding } from '../../core/check.ts'
import type { Deps } from '../../core/ctx.ts'
import { exportRepository } from '../../core/git/index.ts'
import { listAllRepos, pagePath, type Repo } from '../../rooms/repos/index.ts'
import { CommandFailure, configOf, type Command } from './command.ts'
import { findRepoId } from './find-repo.ts'
import { FsckLog } from './fsck-log.ts'
import { closeDeps, openDeps } from './stores.ts'
import { loggerOf } from './telemetry.ts'

/** A deleted repo has lost its address, which another may hold. */
const folderOf = (repo: Repo) => `${pagePath(repo)}${repo.isDeleted ? `@${repo.id}` : ''}.git`

/**
 * Prints one JSON line per finding that `isMeant`; answers how many are errors that stand. With a `log` it goes on where the
 * run ended that wrote it.
 */
export async function runChecks(
  deps: Deps,
  options: CheckOptions,
  {
    out,
    log,
    isMeant = () => true,
  }: { out: (text: string) => void; log?: FsckLog; isMeant?: (finding: Finding) => boolean },
): Promise<number> {
  let errors = log?.errors ?? 0
  for (const check of checks) {
    if (log?.isDone(check.name)) continue
    const resume = log?.resumeOf(check.name)
    for await (const finding of check.run(deps, { ...options, ...(resume && { resume }) })) {
      if (!isMeant(finding)) continue
      if (finding.severity === 'error' && !finding.repaired) {
        errors++
        log?.countError()
      }
      out(`${JSON.stringify(finding)}\n`)
    }
    log?.done(check.name)
  }
  log?.remove()
  return errors
}

/** Exports all repos, or one. With `isResumed` those that are in the folder stay as they are. */
async function exportRepos(
  deps: Deps,
  { folder, repoId, isResumed }: { folder: string; repoId: string | undefined; isResumed: boolean },
): Promise<void> {
  for await (const repo of listAllRepos(deps.db)) {
    if (repoId !== undefined && repoId !== repo.id) continue
    const dir = join(folder, folderOf(repo))
    if (!existsSync(dir)) await exportRepository(deps.git, repo.id, dir)
    else if (!isResumed)
      throw new CommandFailure(
        `${dir} exists already. Export into an empty folder, or add --resume to go on with an export that was interrupted.`,
      )
  }
}

export const fsck: Command = {
  usage: '[--deep] [--repair] [--resume] [--repo <ns>/<name>] [--export <folder>]',
  summary: 'Check everything stored, beside a running server; or export repos as bare git repositories',
  options: {
    deep: { type: 'boolean' },
    repair: { type: 'boolean' },
    resume: { type: 'boolean' },
    repo: { type: 'string' },
    export: { type: 'string' },
  },
  async run(args, shell) {
    const config = configOf(args, shell)
    const deps = await openDeps(config, loggerOf(config))
    try {
      const { values } = args
      const repoId = typeof values['repo'] === 'string' ? await findRepoId(deps, values['repo']) : undefined
      const isResumed = values['resume'] === true
      if (typeof values['export'] === 'string') {
        await exportRepos(deps, { folder: values['export'], repoId, isResumed })
        return 0
      }
      const options = { deep: values['deep'] === true, repair: values['repair'] === true }
      // Of one repo it is soon done.
      const log =
        repoId === undefined
          ? FsckLog.open(config.server.data_dir, options, {
              isResumed,
              warn: shell.err,
            })
          : undefined
      const all = repoId === undefined ? options : { ...options, repoId }
      const errors = await runChecks(deps, all, { out: shell.out, ...(log && { log }) })
      shell.err(errors === 0 ? 'Nothing is damaged.\n' : `${errors} errors.\n`)
      return errors === 0 ? 0 : 1
    } finally {
      await closeDeps(deps)
    }
  },
}
