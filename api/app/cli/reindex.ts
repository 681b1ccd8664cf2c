import { requestReindex } from '../../rooms/indexing/index.ts'
import { configOf, type Command } from './command.ts'
import { findRepoId } from './find-repo.ts'
import { closeDeps, openDeps } from './stores.ts'
import { loggerOf } from './telemetry.ts'

export const reindex: Command = {
  usage: '[--repo <ns>/<name>]',
  summary: 'Have a running server read once more what the files of repos say, for lists and searches',
  options: { repo: { type: 'string' } },
  async run(args, shell) {
    const config = configOf(args, shell)
    const deps = await openDeps(config, loggerOf(config))
    try {
      const { repo } = args.values
      const repoId = typeof repo === 'string' ? await findRepoId(deps, repo) : undefined
      await requestReindex(deps, repoId)
      shell.err('Queued; a running server does it in the background.\n')
      return 0
    } finally {
      await closeDeps(deps)
    }
  },
}
