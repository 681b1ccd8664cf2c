import * as checks from '../checks.ts'
import { bool, duration, each, list, secret, text } from '../makers.ts'
import { secretly, section } from './section.ts'

export const security = section({
  instance_key: secret('')
    .superRefine(secretly(checks.instanceKeyFault))
    .describe(
      '32-byte base64 key that encrypts stored secrets and signs URLs; generated on first start if empty.',
    ),
  anonymous_read: bool(false).describe(
    'Anonymous users may read public repos and see user and organisation profiles.',
  ),
  registration: text('closed', ['open', 'invite', 'closed']).describe(
    'Who can create an account: `open`, `invite` or `closed`.',
  ),
  local_login: bool(true).describe(
    'Show the username and password form. The bootstrap admin can always sign in at `/auth/login?local=1`.',
  ),
  session_ttl: duration('720h', { min: 1000 }).describe('Lifetime of a UI session.'),
  bootstrap_admin: section({
    username: text('service-admin').describe('Username of the bootstrap admin.'),
    password: secret('').describe(
      'Password; generated on first start if empty and no `password_file` is set.',
    ),
    password_file: text('').describe('File that holds the password of the bootstrap admin.'),
    email: text('').describe('Email of the bootstrap admin.'),
  }),
  rate_limit: bool(false).describe('Limit API calls per token, user or IP address.'),
  outbound_allow: list()
    .superRefine(each(checks.outboundFault))
    .describe(
      'Private address ranges that outgoing requests may reach, as `purpose=CIDR`; purposes `webhook`, `upstream`, `oidc`, `viewer`, `audit`.',
    ),
})
