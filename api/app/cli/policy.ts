import { readPolicies, resetPolicies } from '../../rooms/auth/index.ts'
import { asServer } from './as-server.ts'
import { CommandFailure, type Command } from './command.ts'

export const policyShow: Command = {
  usage: '',
  summary: 'Show what this server demands of tokens, passwords, sessions and admins, as JSON',
  async run(args, shell) {
    if (args.positionals.length > 0) throw new CommandFailure('policy show takes no names.', 2)
    return asServer(args, shell, async (ctx) => {
      shell.out(`${JSON.stringify(await readPolicies(ctx.db), null, 2)}\n`)
    })
  },
}

export const policyReset: Command = {
  usage: '',
  summary: 'Lift every policy, where one shuts out the admins who could lift it',
  async run(args, shell) {
    if (args.positionals.length > 0) throw new CommandFailure('policy reset takes no names.', 2)
    return asServer(args, shell, async (ctx) => {
      await resetPolicies(ctx)
      shell.out('Every policy is lifted.\n')
    })
  },
}
