import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { system } from '../access/index.ts'
import { createAccount, newPassword, resetPassword } from '../auth/index.ts'
import type { Ctx } from '../ctx.ts'
import { makeAdmin } from '../namespaces/index.ts'
import { Problem } from '../problems/index.ts'
import { CommandFailure, configOf, type Arguments, type Command, type Shell } from './command.ts'
import { closeDeps, loggerOf, openDeps } from './stores.ts'

const passwordFile = { 'password-file': { type: 'string' } } as const
const passwordUsage = '[--password-file <file>]'

/** Runs one change as the server itself; what refuses it is told in one line. */
async function asServer(args: Arguments, shell: Shell, change: (ctx: Ctx) => Promise<void>): Promise<number> {
  const config = configOf(args, shell)
  const deps = await openDeps(config, loggerOf(config))
  const origin = { requestId: randomUUID(), ip: '', userAgent: 'arsenal', baseUrl: config.server.public_url }
  try {
    await change({ ...deps, actor: system, origin })
    return 0
  } catch (error) {
    if (error instanceof Problem) throw new CommandFailure(error.errors?.[0]?.message ?? error.message)
    throw error
  } finally {
    await closeDeps(deps)
  }
}

function usernameOf({ positionals }: Arguments): string {
  const [username, ...rest] = positionals
  if (username === undefined || rest.length > 0) throw new CommandFailure('Name one user.', 2)
  return username
}

/** The password in the file that was named, or a fresh one, which is then shown this once. */
async function passwordOf({ values }: Arguments): Promise<{ password: string; shown: string }> {
  const file = values['password-file']
  if (typeof file === 'string') return { password: (await readFile(file, 'utf8')).trimEnd(), shown: '' }
  const password = newPassword()
  return { password, shown: `Password: ${password}\n` }
}

export const userCreate: Command = {
  usage: `<username> [--admin] [--email <address>] [--display-name <name>] ${passwordUsage}`,
  summary: 'Create a user; without a password file a password is made and shown',
  options: {
    admin: { type: 'boolean' },
    email: { type: 'string' },
    'display-name': { type: 'string' },
    ...passwordFile,
  },
  async run(args, shell) {
    const username = usernameOf(args)
    const { password, shown } = await passwordOf(args)
    const { email, admin, 'display-name': displayName } = args.values
    return asServer(args, shell, async (ctx) => {
      const more = {
        ...(typeof email === 'string' && { email }),
        ...(typeof displayName === 'string' && { displayName }),
      }
      await createAccount(ctx, { username, password, isAdmin: admin === true, ...more })
      shell.out(`Created ${username}.\n${shown}`)
    })
  },
}

export const userResetPassword: Command = {
  usage: `<username> ${passwordUsage}`,
  summary: 'Give a user a new password and end their sessions',
  options: passwordFile,
  async run(args, shell) {
    const username = usernameOf(args)
    const { password, shown } = await passwordOf(args)
    return asServer(args, shell, async (ctx) => {
      await resetPassword(ctx, username, password)
      shell.out(`The password of ${username} is replaced.\n${shown}`)
    })
  },
}

export const userMakeAdmin: Command = {
  usage: '<username>',
  summary: 'Make a user an instance admin',
  async run(args, shell) {
    const username = usernameOf(args)
    return asServer(args, shell, async (ctx) => {
      await makeAdmin(ctx, username)
      shell.out(`${username} is an instance admin.\n`)
    })
  },
}
