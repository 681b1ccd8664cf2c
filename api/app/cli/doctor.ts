import { diskFaults } from '../../platform/config/index.ts'
import { runChecks, type CheckedFinding } from '../../rooms/health/index.ts'
import { configOf, type Command, type Shell } from './command.ts'
import { closeDeps, openDeps } from './stores.ts'
import { loggerOf } from './telemetry.ts'

const marks = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' }

/** Prints each finding when it is there; as one JSON line each with `--json`. */
function printer(shell: Shell, isJson: boolean) {
  const counts = { ok: 0, warn: 0, fail: 0 }
  return {
    counts,
    show(finding: CheckedFinding) {
      const { check, status, text, fix } = finding
      counts[status]++
      if (isJson) return shell.out(`${JSON.stringify(finding)}\n`)
      shell.out(`${marks[status]}  ${check}: ${text}\n`)
      if (fix !== undefined) shell.out(`      ${fix}\n`)
    },
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

export const doctor: Command = {
  usage: '[--json]',
  summary:
    'Check database, store, clocks, disk, git, jobs, the public address and upstreams, and say what to fix',
  options: { json: { type: 'boolean' } },
  async run(args, shell) {
    const config = configOf(args, shell)
    const { counts, show } = printer(shell, args.values['json'] === true)
    show({ check: 'configuration', status: 'ok', text: 'it has no faults' })
    for (const { key, source, message } of await diskFaults(config))
      show({
        check: 'disk',
        status: 'fail',
        text: `${key} (${source}) ${message}`,
        fix: `Give the server a folder of its own as ${key}.`,
      })
    const deps = await openDeps(config, loggerOf(config)).catch((error: unknown) => {
      const fix = 'Check database.*, storage.* and server.data_dir, and the rights of the user of the server.'
      show({ check: 'stores', status: 'fail', text: messageOf(error), fix })
    })
    if (!deps) return 1
    try {
      for await (const finding of runChecks(deps, deps.stopping)) show(finding)
    } finally {
      await closeDeps(deps)
    }
    if (args.values['json'] !== true)
      shell.out(`\n${counts.ok} ok, ${counts.warn} to look at, ${counts.fail} failed\n`)
    return counts.fail > 0 ? 1 : 0
  },
}
