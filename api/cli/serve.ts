import { diskFaults, ConfigError } from '../config/index.ts'
import { CommandFailure, configOf, type Command } from './command.ts'
import { startServer } from './server.ts'
import { loggerOf } from './stores.ts'

const signals = ['SIGTERM', 'SIGINT'] as const

function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve())
  })
}

export const serve: Command = {
  summary: 'Serve the API, the page and the Jobs',
  async run(args, shell) {
    const config = configOf(args, shell)
    const faults = await diskFaults(config)
    if (faults.length > 0) throw new CommandFailure(new ConfigError(faults).message, 2)
    const log = loggerOf(config)
    const stopping = nextSignal()
    const server = await startServer(config, log, (line) => shell.err(`${line}\n`))
    await stopping
    log.info('stopping')
    await server.stop()
    return 0
  },
}
