import {
  listAllTokens,
  revokeEveryToken,
  revokeNamedToken,
  revokeTokensOf,
  type OwnedToken,
} from '../../rooms/auth/index.ts'
import { requireNamedUser } from '../../rooms/namespaces/index.ts'
import { asServer } from './as-server.ts'
import { CommandFailure, type Arguments, type Command, type Shell } from './command.ts'
import { counted, date, jsonOption, printRows, type Column } from './table.ts'

const userOption = { user: { type: 'string' } } as const

const userOf = ({ values }: Arguments): string | undefined =>
  typeof values['user'] === 'string' ? values['user'] : undefined

const tokenColumns: Column<OwnedToken>[] = [
  ['ID', (token) => token.id],
  ['USER', (token) => token.username],
  ['NAME', (token) => token.name],
  ['BEGINS WITH', (token) => token.prefix],
  ['SCOPES', (token) => token.scopes.join(',') + (token.fence ? ' (fenced)' : '')],
  ['CREATED', (token) => date(token.created_at)],
  ['LAST USED', (token) => date(token.last_used_at)],
  ['EXPIRES', (token) => date(token.expires_at)],
  ['MADE WITH', (token) => token.parent_id ?? '-'],
]

export const tokenList: Command = {
  usage: '[--user <username>] [--json]',
  summary: 'List the access tokens of one user, or of all, without their secrets',
  options: { ...userOption, ...jsonOption },
  async run(args, shell) {
    if (args.positionals.length > 0) throw new CommandFailure('Name the user with --user.', 2)
    const username = userOf(args)
    return asServer(args, shell, async (ctx) => {
      const owner = username === undefined ? undefined : await requireNamedUser(ctx.db, username)
      await printRows(args, shell, tokenColumns, listAllTokens(ctx.db, owner?.id))
    })
  },
}

export const tokenRevoke: Command = {
  usage: '<id> | --user <username> <name or id> | [--user <username>] --all',
  summary: 'Revoke access tokens, with those that were made with them',
  options: { ...userOption, all: { type: 'boolean' } },
  async run(args, shell) {
    const username = userOf(args)
    const [token, ...rest] = args.positionals
    const isAll = args.values['all'] === true
    if (rest.length > 0 || isAll === (token !== undefined))
      throw new CommandFailure('Name one token, or give --all.', 2)
    return asServer(args, shell, async (ctx) => {
      if (token !== undefined) tell(shell, (await revokeNamedToken(ctx, token, username)).length)
      else if (username !== undefined) tell(shell, (await revokeTokensOf(ctx, username)).length)
      else tell(shell, await revokeEveryToken(ctx))
    })
  },
}

function tell({ out }: Shell, revoked: number): void {
  out(revoked === 0 ? 'There is no token to revoke.\n' : `Revoked ${counted(revoked, 'token')}.\n`)
}
