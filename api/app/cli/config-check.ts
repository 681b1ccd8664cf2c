import { ConfigError, diskFaults } from '../../platform/config/index.ts'
import { CommandFailure, configOf, type Command } from './command.ts'

export const configCheck: Command = {
  summary: 'Check the configuration and report every fault at once',
  async run(args, shell) {
    const faults = await diskFaults(configOf(args, shell))
    if (faults.length > 0) throw new CommandFailure(new ConfigError(faults).message, 2)
    shell.out('The configuration is sound.\n')
    return 0
  },
}
