import { checkProvider } from '../../rooms/auth/index.ts'
import { asServer } from './as-server.ts'
import { CommandFailure, type Command } from './command.ts'

export const oidcCheck: Command = {
  usage: '<provider id>',
  summary: 'Check a sign-in provider: discovery, keys, clock, client, and the redirect URI to register',
  async run(args, shell) {
    const [id, ...rest] = args.positionals
    if (id === undefined || rest.length > 0) throw new CommandFailure('Name one provider.', 2)
    let faults = 0
    await asServer(args, shell, async (ctx) => {
      for await (const { isGood, text } of checkProvider(ctx, id)) {
        if (!isGood) faults++
        shell.out(`${isGood ? 'ok  ' : 'FAIL'}  ${text}\n`)
      }
    })
    return faults === 0 ? 0 : 1
  },
}
