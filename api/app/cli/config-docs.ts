import { configDocs as markdown } from '../../platform/config/index.ts'
import type { Command } from './command.ts'

export const configDocs: Command = {
  summary: 'Print the reference of all configuration keys (docs/configuration.md)',
  async run(_, shell) {
    shell.out(markdown())
    return 0
  },
}
