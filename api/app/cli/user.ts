import { readFile } from 'node:fs/promises'
import {
  countTokensOf,
  createAccount,
  disableUser,
  enableUser,
  newPassword,
  resetPassword,
  resetSecondFactor,
} from '../../rooms/auth/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import { jobEnded } from '../housekeeping.ts'
import { listUsers, requireNamedUser, setAdminByName, type Account } from '../../rooms/namespaces/index.ts'
import { asServer } from './as-server.ts'
import { CommandFailure, type Arguments, type Command, type Shell } from './command.ts'
import { counted, date, jsonOption, printRows, type Column } from './table.ts'

const passwordFile = { 'password-file': { type: 'string' } } as const
const passwordUsage = '[--password-file <file>]'

function usernameOf({ positionals }: Arguments): string {
  const [username, ...rest] = positionals
  if (username === undefined || rest.length > 0) throw new CommandFailure('Name one user.', 2)
  return username
}

/** The password in the file that was named, or a fresh one, which is then shown this once. */
async function passwordOf(
  { values }: Arguments,
  username: string,
): Promise<{ password: string; shown: string }> {
  const file = values['password-file']
  if (typeof file === 'string') return { password: (await readFile(file, 'utf8')).trimEnd(), shown: '' }
  const password = newPassword(username)
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
    const { password, shown } = await passwordOf(args, username)
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

/** Whether the user's tokens are revoked: as the flags say, or the person at the terminal; without either they stay. */
async function revokesTokens(
  ctx: Ctx,
  { values }: Arguments,
  username: string,
  shell: Shell,
): Promise<boolean> {
  if (values['revoke-tokens'] === true) return true
  if (values['keep-tokens'] === true || !shell.ask) return false
  const { id } = await requireNamedUser(ctx.db, username)
  const tokens = await countTokensOf(ctx.db, id)
  if (tokens === 0) return false
  const answer = await shell.ask(`Revoke the ${counted(tokens, 'token')} of ${username} too? [y/N] `)
  return /^y(es)?$/i.test(answer.trim())
}

async function tokensNow(ctx: Ctx, username: string, revoked: number): Promise<string> {
  if (revoked > 0) return `Revoked ${counted(revoked, 'token')}.\n`
  const { id } = await requireNamedUser(ctx.db, username)
  const kept = await countTokensOf(ctx.db, id)
  if (kept === 0) return ''
  return `${counted(kept, 'token')} kept. To revoke: arsenal token revoke --user ${username} --all\n`
}

export const userResetPassword: Command = {
  usage: `<username> ${passwordUsage} [--revoke-tokens | --keep-tokens]`,
  summary: 'Give a user a new password and end their sessions',
  options: { ...passwordFile, 'revoke-tokens': { type: 'boolean' }, 'keep-tokens': { type: 'boolean' } },
  async run(args, shell) {
    const username = usernameOf(args)
    if (args.values['revoke-tokens'] && args.values['keep-tokens'])
      throw new CommandFailure('Give either --revoke-tokens or --keep-tokens, not both.', 2)
    const { password, shown } = await passwordOf(args, username)
    return asServer(args, shell, async (ctx) => {
      const revokeTokens = await revokesTokens(ctx, args, username, shell)
      const revoked = await resetPassword(ctx, username, password, { revokeTokens })
      const tokens = await tokensNow(ctx, username, revoked)
      shell.out(`The password of ${username} is replaced.\n${tokens}${shown}`)
    })
  },
}

export const userResetSecondFactor: Command = {
  usage: '<username>',
  summary: 'Remove the passkeys and recovery codes of a user who has lost them, and end their sessions',
  async run(args, shell) {
    const username = usernameOf(args)
    return asServer(args, shell, async (ctx) => {
      const passkeys = await resetSecondFactor(ctx, username)
      shell.out(
        `Removed ${counted(passkeys, 'passkey')} of ${username} and the recovery codes. The password alone signs in now.\n`,
      )
    })
  },
}

export const userMakeAdmin: Command = {
  usage: '<username>',
  summary: 'Make a user an instance admin',
  async run(args, shell) {
    const username = usernameOf(args)
    return asServer(args, shell, async (ctx) => {
      await setAdminByName(ctx, username, true)
      shell.out(`${username} is an instance admin.\n`)
    })
  },
}

export const userRemoveAdmin: Command = {
  usage: '<username>',
  summary: 'Take the admin right from a user; the last enabled admin keeps it',
  async run(args, shell) {
    const username = usernameOf(args)
    return asServer(args, shell, async (ctx) => {
      const isChanged = await setAdminByName(ctx, username, false)
      shell.out(`${username} ${isChanged ? 'is no longer' : 'was not'} an instance admin.\n`)
    })
  },
}

/** A bucket checks a signature and a time alone: its addresses cannot be revoked. */
const bucketNote = ({ config }: Pick<Ctx, 'config'>): string =>
  config.storage.backend === 's3'
    ? 'Addresses of the bucket that were issued before work until storage.s3.presign_ttl or lfs.upload_url_ttl has passed.\n'
    : ''

export const userDisable: Command = {
  usage: '<username>',
  summary: 'Put a user out: sessions and jobs end, tokens and webhooks rest',
  async run(args, shell) {
    const username = usernameOf(args)
    return asServer(args, shell, async (ctx) => {
      const { user, isChanged, sessions, jobs } = await disableUser(ctx, username, jobEnded)
      const ended = `Ended ${counted(sessions, 'session')}, cancelled ${counted(jobs, 'job')}.\n${bucketNote(ctx)}`
      shell.out(
        isChanged
          ? `${user.username} is disabled. ${ended}`
          : `${user.username} was disabled already. ${ended}`,
      )
    })
  },
}

export const userEnable: Command = {
  usage: '<username>',
  summary: 'Let a disabled user back in; their tokens work again',
  async run(args, shell) {
    const username = usernameOf(args)
    return asServer(args, shell, async (ctx) => {
      const { user, isChanged } = await enableUser(ctx, username)
      const tokens = counted(await countTokensOf(ctx.db, user.id), 'token')
      shell.out(
        isChanged ? `${user.username} is enabled, with ${tokens}.\n` : `${user.username} was not disabled.\n`,
      )
    })
  },
}

const userColumns: Column<Account>[] = [
  ['USERNAME', (user) => user.username],
  ['STATE', (user) => (user.disabled ? 'disabled' : 'enabled')],
  ['ADMIN', (user) => (user.is_admin ? 'yes' : '-')],
  ['EMAIL', (user) => user.email ?? '-'],
  ['CREATED', (user) => date(user.created_at)],
  ['LAST SEEN', (user) => date(user.last_seen_at)],
]

export const userList: Command = {
  usage: '[--json]',
  summary: 'List all users',
  options: jsonOption,
  async run(args, shell) {
    if (args.positionals.length > 0) throw new CommandFailure('user list takes no names.', 2)
    return asServer(args, shell, (ctx) => printRows(args, shell, userColumns, listUsers(ctx.db)))
  },
}
