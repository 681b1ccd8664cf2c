import { ConfigError, diskFaults, type Config } from '../../platform/config/index.ts'
import { unfinishedRestore } from '../../rooms/backup/index.ts'
import { KeyDiffers, PlaceTaken } from '../../stores/db/index.ts'
import { CommandFailure, configOf, type Command, type Shell } from './command.ts'
import { StoreOutOfReach } from './reach.ts'
import { startServer } from './server.ts'
import { openVoice, type Voice } from './telemetry.ts'

const signals = ['SIGTERM', 'SIGINT'] as const

function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve())
  })
}

/** What the operator can fix is reported in one line; anything else is our fault and keeps its stack. */
function explain(error: unknown, listen: string, key: string): never {
  if (error instanceof PlaceTaken || error instanceof KeyDiffers) throw new CommandFailure(error.message)
  if (error instanceof StoreOutOfReach)
    throw new CommandFailure(`The blob store cannot be used: ${error.message}`)
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reason =
    code === 'EADDRINUSE' ? 'another program listens there' : code === 'EACCES' && 'that is not permitted'
  if (!reason) throw error
  throw new CommandFailure(`Cannot listen at ${listen}: ${reason}; set ${key}.`)
}

export const serve: Command = {
  summary: 'Serve the API, the page and the jobs',
  async run(args, shell) {
    const config = configOf(args, shell)
    const faults = await diskFaults(config)
    if (faults.length > 0) throw new CommandFailure(new ConfigError(faults).message, 2)
    const restoring = await unfinishedRestore(config.server.data_dir)
    if (restoring !== undefined)
      throw new CommandFailure(
        `The restore of ${restoring} has not finished. Run arsenal restore --backup ${restoring} again before you serve.`,
      )
    const { telemetry } = config
    const voice = await openVoice(config, shell.env).catch((error: unknown) =>
      explain(error, telemetry.prometheus_listen, 'telemetry.prometheus_listen'),
    )
    try {
      return await serveUntilTold(config, voice, shell)
    } finally {
      await voice.stop()
    }
  },
}

async function serveUntilTold(config: Config, voice: Voice, shell: Shell): Promise<number> {
  const { log, telemetry, prometheus } = voice
  const stop = new AbortController()
  const stopping = nextSignal().then(() => stop.abort())
  const report = (line: string) => shell.err(`${line}\n`)
  const starting = startServer(config, log, report, undefined, stop.signal, telemetry)
  const server = await starting.catch((error) =>
    stop.signal.aborted ? undefined : explain(error, config.server.listen, 'server.listen'),
  )
  if (!server) return 0
  voice.watchLoop()
  if (prometheus) report(`Metrics for Prometheus at http://${prometheus}/metrics`)
  await stopping
  log.info('stopping')
  await server.stop()
  return 0
}
