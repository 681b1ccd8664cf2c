import { GivenPassword, Session } from '../../auth/routes.ts'
import { TokenList } from '../../auth/token-routes.ts'
import {
  body,
  createRoute,
  empty,
  flag,
  json,
  listOf,
  oneLine,
  PageQuery,
  problems,
  Time,
  z,
} from '../../../core/http/contract.ts'
import { DisplayName, RoleName } from '../../namespaces/routes.ts'

const bytes = z.int()

export const AdminUser = z
  .object({
    id: z.string(),
    username: z.string(),
    display_name: z.string(),
    email: z.string().optional(),
    email_verified: z.boolean(),
    pending_email: z.string().optional(),
    is_admin: z.boolean(),
    admin_source: z
      .string()
      .optional()
      .openapi({ description: '`oidc:{provider}` when a group of that provider grants the admin right.' }),
    disabled: z.boolean(),
    has_password: z.boolean(),
    identities: z.array(z.object({ provider: z.string(), name: z.string() })),
    created_at: Time,
    last_seen_at: Time.optional(),
    storage_bytes: bytes,
    repo_count: z.int(),
    token_count: z.int(),
  })
  .openapi('AdminUser')

export const Link = z.object({ url: z.string(), expires_at: Time }).openapi('Link')
const EmailLink = Link.extend({ email: z.string() }).openapi('EmailLink')

const Email = z.email().max(254)
const Username = z.string().min(1).max(254)

const AdminUserCreate = z
  .strictObject({
    username: Username,
    display_name: DisplayName.optional(),
    email: Email.optional(),
    password: GivenPassword.optional().openapi({ description: 'Left out: the answer has a reset link.' }),
    is_admin: z.boolean().optional(),
  })
  .openapi('AdminUserCreate')

const AdminUserCreated = AdminUser.extend({ reset_link: Link.optional() }).openapi('AdminUserCreated')

const AdminUserUpdate = z
  .strictObject({
    display_name: DisplayName.optional(),
    email: z.union([z.literal(''), Email]).optional(),
    is_admin: z.boolean().optional(),
    disabled: z.boolean().optional(),
  })
  .openapi('AdminUserUpdate')

const EmailLinkCreate = z
  .strictObject({ email: z.string().max(254).openapi({ description: 'The pending address that you saw.' }) })
  .openapi('EmailLinkCreate')

const invited = {
  username: Username.optional(),
  display_name: DisplayName.optional(),
  email: Email.optional(),
  is_admin: z.boolean().optional(),
  orgs: z
    .array(z.strictObject({ ns: z.string(), role: RoleName }))
    .max(50)
    .optional(),
  note: oneLine(z.string().max(500)).optional(),
}
const InviteCreate = z.strictObject(invited).openapi('InviteCreate')
export const Invite = z
  .object({
    id: z.string(),
    ...invited,
    created_by: z.string().optional(),
    created_at: Time,
    expires_at: Time,
  })
  .openapi('Invite')

export const OwnedSession = Session.omit({ current: true }).openapi('AdminSession')

const tags = ['admin']
const asked = ['unauthenticated', 'forbidden', 'insufficient-scope'] as const
const changed = [...asked, 'csrf-token-invalid'] as const
const bodied = ['invalid-request', 'validation-failed'] as const
const Id = z.object({ id: z.uuid().openapi({ param: { name: 'id', in: 'path' } }) })

export const listAdminUsers = createRoute({
  method: 'get',
  path: '/admin/users',
  operationId: 'listAdminUsers',
  tags,
  request: {
    query: PageQuery.extend({
      q: oneLine(z.string().max(254))
        .optional()
        .openapi({ description: 'Begins the username or the address, or is part of the display name.' }),
      admin: flag.optional(),
      disabled: flag.optional(),
      provider: oneLine(z.string().max(100))
        .optional()
        .openapi({ description: 'Has an identity at this provider.' }),
    }),
  },
  responses: { 200: json(listOf(AdminUser, 'AdminUserList'), 'users in name order'), ...problems(...asked) },
})

export const createAdminUser = createRoute({
  method: 'post',
  path: '/admin/users',
  operationId: 'createAdminUser',
  tags,
  request: { body: body(AdminUserCreate) },
  responses: {
    201: json(AdminUserCreated, 'the account'),
    ...problems(
      ...([...changed, ...bodied, 'invalid-name', 'name-taken', 'email-taken', 'weak-password'] as const),
      'fresh-sign-in-required',
    ),
  },
})

export const getAdminUser = createRoute({
  method: 'get',
  path: '/admin/users/{id}',
  operationId: 'getAdminUser',
  tags,
  request: { params: Id },
  responses: { 200: json(AdminUser, 'the user'), ...problems(...asked, 'not-found') },
})

export const updateAdminUser = createRoute({
  method: 'patch',
  path: '/admin/users/{id}',
  operationId: 'updateAdminUser',
  tags,
  request: { params: Id, body: body(AdminUserUpdate) },
  responses: {
    200: json(AdminUser, 'the user as changed'),
    ...problems(
      ...([...changed, ...bodied, 'not-found', 'last-admin', 'email-taken', 'state-conflict'] as const),
      'fresh-sign-in-required',
    ),
  },
})

export const createEmailLink = createRoute({
  method: 'post',
  path: '/admin/users/{id}/email-link',
  operationId: 'createEmailLink',
  tags,
  request: { params: Id, body: body(EmailLinkCreate) },
  responses: {
    201: json(EmailLink, 'single use, for 72 hours; an earlier one of the user has ended'),
    ...problems(
      ...([...changed, ...bodied, 'not-found', 'no-pending-email'] as const),
      ...(['pending-email-changed', 'email-taken'] as const),
    ),
  },
})

export const createResetLink = createRoute({
  method: 'post',
  path: '/admin/users/{id}/reset-link',
  operationId: 'createResetLink',
  tags,
  request: { params: Id },
  responses: {
    201: json(Link, 'single use, for 72 hours; an earlier one of the user has ended'),
    ...problems(...changed, 'not-found', 'state-conflict', 'fresh-sign-in-required'),
  },
})

export const listUserSessions = createRoute({
  method: 'get',
  path: '/admin/users/{id}/sessions',
  operationId: 'listUserSessions',
  tags,
  request: { params: Id, query: PageQuery },
  responses: {
    200: json(listOf(OwnedSession, 'AdminSessionList'), 'live sessions of the user, newest first'),
    ...problems(...asked, 'not-found'),
  },
})

export const endUserSessions = createRoute({
  method: 'delete',
  path: '/admin/users/{id}/sessions',
  operationId: 'endUserSessions',
  tags,
  request: { params: Id },
  responses: { 204: empty('every session of the user has ended'), ...problems(...changed, 'not-found') },
})

export const listUserTokens = createRoute({
  method: 'get',
  path: '/admin/users/{id}/tokens',
  operationId: 'listUserTokens',
  tags,
  request: { params: Id, query: PageQuery },
  responses: {
    200: json(TokenList, 'access tokens of the user, newest first'),
    ...problems(...asked, 'not-found'),
  },
})

export const revokeUserToken = createRoute({
  method: 'delete',
  path: '/admin/users/{id}/tokens/{token_id}',
  operationId: 'revokeUserToken',
  tags,
  request: {
    params: Id.extend({ token_id: z.uuid().openapi({ param: { name: 'token_id', in: 'path' } }) }),
  },
  responses: {
    204: empty('the token and those made with it are revoked'),
    ...problems(...changed, 'not-found'),
  },
})

export const createInvite = createRoute({
  method: 'post',
  path: '/admin/invites',
  operationId: 'createInvite',
  tags,
  request: { body: body(InviteCreate) },
  responses: {
    201: json(Link, 'single use, for 72 hours'),
    ...problems(
      ...([...changed, ...bodied, 'invalid-name', 'name-taken', 'email-taken', 'not-found'] as const),
      'fresh-sign-in-required',
    ),
  },
})

export const listInvites = createRoute({
  method: 'get',
  path: '/admin/invites',
  operationId: 'listInvites',
  tags,
  request: { query: PageQuery },
  responses: { 200: json(listOf(Invite, 'InviteList'), 'open invites, newest first'), ...problems(...asked) },
})

export const revokeInvite = createRoute({
  method: 'delete',
  path: '/admin/invites/{id}',
  operationId: 'revokeInvite',
  tags,
  request: { params: Id },
  responses: { 204: empty('the invite no longer works'), ...problems(...changed, 'not-found') },
})
