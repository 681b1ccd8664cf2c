import {
  body,
  createRoute,
  empty,
  json,
  listOf,
  oneLine,
  problems,
  publicOperation,
  Time,
  z,
} from '../../../core/http/contract.ts'
import { GivenPassword, Me } from '../routes.ts'
import { PasskeyAssertion, PasskeyRegistration, WebAuthnOptions } from './schemas.ts'

const name = oneLine(z.string().min(1).max(100))

export const Passkey = z
  .object({ id: z.string(), name: z.string(), created_at: Time, last_used_at: Time.optional() })
  .openapi('Passkey')

const codes = z.array(z.string()).openapi({ description: 'Each works once, in place of a passkey.' })

const PasskeyCreated = Passkey.extend({
  recovery_codes: codes.optional().openapi({ description: 'With the first passkey; shown this once.' }),
}).openapi('PasskeyCreated')

const Id = z.object({ id: z.uuid().openapi({ param: { name: 'id', in: 'path' } }) })

const tags = ['session']
const session = ['unauthenticated', 'forbidden', 'insufficient-scope', 'session-required'] as const
const fresh = [...session, 'csrf-token-invalid', 'fresh-sign-in-required'] as const

export const listPasskeys = createRoute({
  method: 'get',
  path: '/me/passkeys',
  operationId: 'listPasskeys',
  tags,
  summary: 'Passkeys of the caller, oldest first',
  responses: { 200: json(listOf(Passkey, 'PasskeyList'), 'all of them'), ...problems(...session) },
})

export const createPasskeyOptions = createRoute({
  method: 'post',
  path: '/me/passkeys/options',
  operationId: 'createPasskeyOptions',
  tags,
  summary: 'What a browser needs to make a passkey, for five minutes',
  responses: {
    200: json(WebAuthnOptions, 'for `navigator.credentials.create()`'),
    ...problems(...fresh, 'no-local-password', 'state-conflict'),
  },
})

export const createPasskey = createRoute({
  method: 'post',
  path: '/me/passkeys',
  operationId: 'createPasskey',
  tags,
  summary: 'Save a passkey that the browser has made',
  smallBody: true,
  request: {
    body: body(z.strictObject({ name, credential: PasskeyRegistration }).openapi('PasskeyCreate')),
  },
  responses: {
    201: json(PasskeyCreated, 'from now on a password alone no longer signs in'),
    ...problems(...fresh, 'no-local-password', 'state-conflict', 'already-exists'),
  },
})

export const updatePasskey = createRoute({
  method: 'patch',
  path: '/me/passkeys/{id}',
  operationId: 'updatePasskey',
  tags,
  summary: 'Give a passkey another name',
  request: { params: Id, body: body(z.strictObject({ name }).openapi('PasskeyUpdate')) },
  responses: { 200: json(Passkey, 'the passkey'), ...problems(...session, 'csrf-token-invalid') },
})

export const deletePasskey = createRoute({
  method: 'delete',
  path: '/me/passkeys/{id}',
  operationId: 'deletePasskey',
  tags,
  summary: 'Remove a passkey; with the last one the recovery codes go',
  request: { params: Id },
  responses: { 204: empty('it signs in no longer'), ...problems(...fresh, 'not-found') },
})

export const createRecoveryCodes = createRoute({
  method: 'post',
  path: '/me/recovery-codes',
  operationId: 'createRecoveryCodes',
  tags,
  summary: 'Make ten new recovery codes; former ones no longer work',
  responses: {
    201: json(z.object({ codes }).openapi('RecoveryCodes'), 'shown this once'),
    ...problems(...fresh, 'state-conflict'),
  },
})

export const createConfirmationOptions = createRoute({
  method: 'post',
  path: '/me/confirmation/options',
  operationId: 'createConfirmationOptions',
  tags,
  summary: 'What a browser needs to confirm with a passkey, for five minutes',
  responses: {
    200: json(WebAuthnOptions, 'for `navigator.credentials.get()`'),
    ...problems(...session, 'csrf-token-invalid', 'state-conflict'),
  },
})

export const confirmSession = createRoute({
  method: 'post',
  path: '/me/confirmation',
  operationId: 'confirmSession',
  tags,
  summary: 'Prove again who you are, by password or passkey; it holds for ten minutes',
  smallBody: true,
  request: {
    body: body(
      z
        .strictObject({ current_password: GivenPassword.optional(), passkey: PasskeyAssertion.optional() })
        .openapi('Confirmation'),
    ),
  },
  responses: {
    204: empty('confirmed'),
    ...problems(...session, 'csrf-token-invalid', 'wrong-password', 'no-local-password'),
  },
})

export const createPasskeySignInOptions = createRoute({
  method: 'post',
  path: '/auth/passkey/options',
  operationId: 'createPasskeySignInOptions',
  tags,
  ...publicOperation,
  summary: 'What a browser needs to sign in with a passkey alone, for five minutes',
  responses: {
    200: json(WebAuthnOptions, 'for `navigator.credentials.get()`'),
    ...problems('state-conflict'),
  },
})

export const signInWithPasskey = createRoute({
  method: 'post',
  path: '/auth/passkey',
  operationId: 'signInWithPasskey',
  tags,
  ...publicOperation,
  summary: 'Sign in with a passkey alone',
  request: { body: body(z.strictObject({ passkey: PasskeyAssertion }).openapi('PasskeySignIn')) },
  responses: {
    200: json(Me, 'signed in; sets the session cookie'),
    ...problems('bad-credentials', 'csrf-token-invalid'),
  },
})

export const finishLogin = createRoute({
  method: 'post',
  path: '/auth/second-factor',
  operationId: 'finishLogin',
  tags,
  ...publicOperation,
  summary: 'End a sign-in that lacked a second factor, by passkey or recovery code',
  request: {
    body: body(
      z
        .strictObject({
          ticket: z.string().max(2048),
          passkey: PasskeyAssertion.optional(),
          recovery_code: z.string().max(100).optional(),
        })
        .openapi('SecondFactor'),
    ),
  },
  responses: {
    200: json(Me, 'signed in; sets the session cookie'),
    ...problems('bad-credentials', 'csrf-token-invalid'),
  },
})
