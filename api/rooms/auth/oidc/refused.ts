/** Why a sign-in with a provider came to nothing: HTTP status, heading, what to do. Each is a page and an audit row. */
export const refusals = {
  'unknown-provider': [
    404,
    'There is no such sign-in provider',
    'Go to the sign-in page and choose one that is shown there.',
  ],
  throttled: [429, 'Too many failed attempts', 'Wait 15 minutes, then sign in again.'],
  'provider-down': [
    502,
    'The sign-in provider does not answer',
    'Retry in a few minutes. If you have a password here, sign in with it. If this lasts, tell an admin of this server.',
  ],
  'provider-misconfigured': [
    502,
    'The sign-in provider is not set up correctly',
    'Tell an admin of this server. The server log has the cause.',
  ],
  'not-started': [
    400,
    'This sign-in was not started in this browser',
    'It may also have taken longer than 10 minutes, or another one was started since. Sign in again.',
  ],
  'already-finished': [400, 'This sign-in has been finished already', 'Sign in again.'],
  'denied-by-provider': [
    403,
    'The sign-in provider refused the sign-in',
    'You may have cancelled it, or the provider may not allow you to use this server. Sign in again, or ask the people who run the provider.',
  ],
  'wrong-answer': [
    403,
    'The answer of the sign-in provider cannot be trusted',
    'Sign in again. If it fails again, tell an admin of this server. The audit log has the cause.',
  ],
  'no-account': [
    403,
    'You have no account on this server',
    'Ask an admin of this server for an invite. Give them what is shown below.',
  ],
  'account-disabled': [403, 'Your account is disabled', 'Ask an admin of this server.'],
  'identity-taken': [
    409,
    'This identity belongs to another account',
    'Sign in with the provider to use that account, or disconnect the identity there first.',
  ],
  'already-connected': [
    409,
    'Your account has another identity at this provider',
    'Disconnect that one in your settings first.',
  ],
  'signed-out': [403, 'You are no longer signed in', 'Sign in, then connect the provider again.'],
  'invite-unusable': [
    404,
    'This invite is no longer usable',
    'An invite works once, for 72 hours. Ask an admin of this server for a new one.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, fix: string]>

export type RefusalReason = keyof typeof refusals

/** Who the provider says it is, where that helps an admin to invite them. */
export interface Claimant {
  username: string
  subject: string
}

/** A sign-in with a provider that is refused. `cause` is for the log and the audit alone, never for the page. */
export class Refused extends Error {
  readonly reason: RefusalReason
  /** What was wrong in particular, in our own words. */
  readonly fault: string | undefined
  readonly claimant: Claimant | undefined
  /** The account it was about, where that is known. */
  readonly user: { id: string; username: string } | undefined

  constructor(
    reason: RefusalReason,
    more: {
      fault?: string
      claimant?: Claimant
      user?: { id: string; username: string }
      cause?: unknown
    } = {},
  ) {
    super(`${refusals[reason][1]}${more.fault ? `: ${more.fault}` : ''}`, { cause: more.cause })
    this.name = 'Refused'
    this.reason = reason
    this.fault = more.fault
    this.claimant = more.claimant
    this.user = more.user
  }
}
