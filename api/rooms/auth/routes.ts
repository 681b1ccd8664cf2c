import { limits, scopes } from '../../../shared/vocabulary.ts'
import {
  body,
  createRoute,
  empty,
  json,
  listOf,
  oneLine,
  PageQuery,
  problems,
  publicOperation,
  Time,
  z,
} from '../../core/http/contract.ts'
import { WebAuthnOptions } from './passkeys/schemas.ts'
import { DefaultVisibility, DisplayName, RoleName } from '../namespaces/routes.ts'

export const Me = z
  .object({
    id: z.string(),
    username: z.string(),
    display_name: z.string(),
    email: z.string().optional(),
    email_verified: z.boolean(),
    pending_email: z.string().optional(),
    avatar_url: z.string(),
    is_admin: z.boolean(),
    has_password: z.boolean(),
    password_generated: z.boolean().openapi({
      description: 'The server made the password up at its first start; choose another one.',
    }),
    identities: z.array(z.object({ provider: z.string(), name: z.string() })),
    orgs: z.array(z.object({ ns: z.string(), display_name: z.string(), role: RoleName })),
    auth: z.object({
      kind: z.enum(['session', 'token']),
      token_name: z.string().optional(),
      scopes: z.array(z.enum(scopes)),
      expires_at: Time.optional(),
    }),
    csrf_token: z.string().optional(),
    second_factor: z.object({
      passkeys: z.int(),
      recovery_codes_left: z.int(),
      is_missing: z.boolean().openapi({
        description: 'An admin who must add a passkey before they may act as one.',
      }),
    }),
    default_visibility: DefaultVisibility,
    created_at: Time,
  })
  .openapi('Me')

export const SecondFactorAsked = z
  .object({
    ticket: z.string().openapi({ description: 'For `POST /auth/second-factor`, within five minutes.' }),
    passkey: WebAuthnOptions.optional().openapi({
      description: 'For the browser. Absent where passkeys cannot be used at this address.',
    }),
    recovery_codes_left: z.int(),
  })
  .openapi('SecondFactorAsked')

const Email = z.union([z.literal(''), z.email().max(254)])

const MeUpdate = z
  .strictObject({
    display_name: DisplayName.optional(),
    email: Email.optional(),
    default_visibility: DefaultVisibility.optional(),
  })
  .openapi('MeUpdate')

// The policy speaks of passwords to be set; this only keeps a wrong one from costing more than a right one.
export const GivenPassword = z.string().max(4 * limits.passwordMax)

const PasswordChange = z
  .strictObject({ current_password: GivenPassword, new_password: GivenPassword })
  .openapi('PasswordChange')

const LoginRequest = z
  .strictObject({
    username: oneLine(z.string().max(254)),
    password: GivenPassword,
  })
  .openapi('LoginRequest')

const Register = z
  .strictObject({
    username: z.string().max(254),
    password: GivenPassword,
    email: z.email().max(254).optional(),
    invite: z.string().max(100).optional(),
  })
  .openapi('Register')

const IdentityConnect = z
  .strictObject({ provider: z.string().max(100), current_password: GivenPassword.optional() })
  .openapi('IdentityConnect')

const IdentityStart = z
  .object({ start_url: z.string().openapi({ description: 'Where the browser goes now.' }) })
  .openapi('IdentityStart')

const AuthProviders = z
  .object({
    local: z.boolean(),
    registration: z.enum(['open', 'invite', 'closed']),
    anonymous_read: z
      .boolean()
      .openapi({ description: 'Whether people who are not signed in can read public repos.' }),
    providers: z.array(z.object({ id: z.string(), name: z.string(), start_url: z.string() })),
    passkeys: z.object({
      possible: z.boolean(),
      reason: z.string().optional().openapi({ description: 'Why browsers would refuse passkeys here.' }),
    }),
  })
  .openapi('AuthProviders')

export const Session = z
  .object({
    id: z.string(),
    created_at: Time,
    last_seen_at: Time,
    expires_at: Time,
    ip: z.string(),
    user_agent: z.string(),
    current: z.boolean(),
  })
  .openapi('Session')

export const SignIn = z
  .object({
    id: z.string(),
    at: Time,
    ip: z.string(),
    client: z.string().openapi({ description: 'The user agent.' }),
    method: z
      .string()
      .openapi({ description: '`password`, `passkey`, `password and passkey`, or the id of a provider.' }),
    outcome: z.enum(['ok', 'refused']),
  })
  .openapi('SignIn')

const tags = ['session']
const credentials = ['bad-credentials', 'token-expired'] as const
const account = [...credentials, 'unauthenticated', 'forbidden', 'insufficient-scope'] as const
const changed = [...account, 'csrf-token-invalid'] as const
const bodied = ['invalid-request', 'validation-failed'] as const

export const getMe = createRoute({
  method: 'get',
  path: '/me',
  operationId: 'getMe',
  tags,
  ...publicOperation,
  responses: {
    200: json(Me, 'the signed-in user'),
    204: empty('no user is signed in'),
    ...problems(...credentials),
  },
})

export const updateMe = createRoute({
  method: 'patch',
  path: '/me',
  operationId: 'updateMe',
  tags,
  request: { body: body(MeUpdate) },
  responses: { 200: json(Me, 'as changed'), ...problems(...changed, ...bodied, 'email-taken') },
})

export const changePassword = createRoute({
  method: 'post',
  path: '/me/password',
  operationId: 'changePassword',
  tags,
  request: { body: body(PasswordChange) },
  responses: {
    204: empty('changed; every other session has ended'),
    ...problems(
      ...([...credentials, 'unauthenticated', 'csrf-token-invalid', ...bodied, 'weak-password'] as const),
      ...(['session-required', 'no-local-password', 'wrong-password'] as const),
    ),
  },
})

export const login = createRoute({
  method: 'post',
  path: '/auth/login',
  operationId: 'login',
  tags,
  ...publicOperation,
  request: { body: body(LoginRequest) },
  responses: {
    200: json(Me, 'signed in; sets the session cookie'),
    202: json(SecondFactorAsked, 'the password is right; a passkey or a recovery code is needed too'),
    ...problems(...credentials, ...bodied, 'forbidden', 'csrf-token-invalid'),
  },
})

export const logout = createRoute({
  method: 'post',
  path: '/auth/logout',
  operationId: 'logout',
  tags,
  responses: {
    204: empty('the session has ended'),
    ...problems(...credentials, 'unauthenticated', 'csrf-token-invalid', 'session-required'),
  },
})

export const getAuthProviders = createRoute({
  method: 'get',
  path: '/auth/providers',
  operationId: 'getAuthProviders',
  tags,
  ...publicOperation,
  responses: { 200: json(AuthProviders, 'how one may sign in'), ...problems(...credentials) },
})

export const listSessions = createRoute({
  method: 'get',
  path: '/me/sessions',
  operationId: 'listSessions',
  tags,
  request: { query: PageQuery },
  responses: {
    200: json(listOf(Session, 'SessionList'), 'live sessions, newest first'),
    ...problems(...account, 'invalid-cursor', 'validation-failed'),
  },
})

export const revokeSession = createRoute({
  method: 'delete',
  path: '/me/sessions/{id}',
  operationId: 'revokeSession',
  tags,
  request: { params: z.object({ id: z.uuid().openapi({ param: { name: 'id', in: 'path' } }) }) },
  responses: { 204: empty('the session has ended'), ...problems(...changed, 'not-found') },
})

export const listSignIns = createRoute({
  method: 'get',
  path: '/me/sign-ins',
  operationId: 'listSignIns',
  tags,
  request: { query: PageQuery },
  responses: {
    200: json(listOf(SignIn, 'SignInList'), 'sign-ins to this account, newest first, refused ones too'),
    ...problems(...account, 'invalid-cursor', 'validation-failed'),
  },
})

export const register = createRoute({
  method: 'post',
  path: '/auth/register',
  operationId: 'register',
  tags,
  ...publicOperation,
  request: { body: body(Register) },
  responses: {
    201: json(Me, 'the account; sets the session cookie'),
    ...problems(
      ...([...bodied, 'registration-closed', 'forbidden', 'not-found', 'name-taken'] as const),
      ...(['email-taken', 'invalid-name', 'weak-password'] as const),
    ),
  },
})

export const connectIdentity = createRoute({
  method: 'post',
  path: '/me/identities',
  operationId: 'connectIdentity',
  tags,
  request: { body: body(IdentityConnect) },
  responses: {
    201: json(IdentityStart, 'the browser may go to the provider now, for five minutes'),
    ...problems(
      ...([...changed, ...bodied, 'session-required', 'not-found', 'wrong-password'] as const),
      ...(['fresh-sign-in-required', 'no-local-password'] as const),
    ),
  },
})

export const disconnectIdentity = createRoute({
  method: 'delete',
  path: '/me/identities/{provider}',
  operationId: 'disconnectIdentity',
  tags,
  request: {
    params: z.object({ provider: z.string().openapi({ param: { name: 'provider', in: 'path' } }) }),
  },
  responses: {
    204: empty('the identity no longer signs in to this account'),
    ...problems(...changed, 'session-required', 'not-found', 'state-conflict'),
  },
})
