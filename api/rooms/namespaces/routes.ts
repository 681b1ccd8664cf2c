import { limits, roles, visibilities } from '../../../shared/vocabulary.ts'
import {
  body,
  createRoute,
  empty,
  json,
  listOf,
  oneLine,
  PageQuery,
  problems,
  Time,
  z,
} from '../../core/http/contract.ts'
import { changed, Ns, NsAndUser, seen, tags } from './common-routes.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** A name for people: any text on one line, at most 100 bytes of UTF-8. */
export const DisplayName = oneLine(z.string().min(1))
  .refine(
    (text) => bytesOf(text) <= limits.displayNameBytes,
    `may have at most ${limits.displayNameBytes} bytes`,
  )
  .openapi({ example: 'Ada Lovelace' })

export const RoleName = z.enum(roles)

/** What a repo gets whose creator does not say: hub clients and `git` leave it out (native-api.md §3). */
export const DefaultVisibility = z
  .enum(visibilities)
  .openapi({ description: 'Visibility of repos that clients create without saying which.' })

export const Namespace = z
  .object({
    ns: z.string(),
    kind: z.enum(['user', 'org']),
    display_name: z.string(),
    mirror_of: z.string().optional().openapi({
      description: 'The upstream whose mirrors it holds, and nothing else; it has no members.',
    }),
    bio: z.string().optional(),
    avatar_url: z.string(),
    has_avatar: z
      .boolean()
      .openapi({ description: 'A picture was uploaded; `avatar_url` draws the initials otherwise.' }),
    website: z.string().optional(),
    created_at: Time,
    default_visibility: DefaultVisibility,
    counts: z.object({
      models: z.int(),
      datasets: z.int(),
      collections: z.int(),
      members: z.int().optional(),
      followers: z.int(),
      following: z.int().optional().openapi({ description: 'Of a user: how many they follow.' }),
    }),
    followed: z.boolean().openapi({ description: 'You follow it.' }),
    my_role: RoleName.optional(),
    storage: z
      .object({
        used_bytes: z.int(),
        pending_bytes: z.int().openapi({ description: 'Uploads of members that no commit names yet.' }),
        quota_bytes: z.int().optional(),
      })
      .optional()
      .openapi({ description: 'Packs and large files of its repos, each large file once; for members.' }),
  })
  .openapi('Namespace')

// Parsers of addresses pass over some blanks and control characters in silence; Postgres holds no NUL.
const Website = z.union([
  z.literal(''),
  z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .regex(/^[^\0-\x20\x7f]*$/, 'must have neither blanks nor control characters'),
])

const profile = {
  display_name: DisplayName.optional(),
  bio: z
    .string()
    .max(2000)
    .regex(/^[^\0]*$/, 'must not contain NUL')
    .optional(),
  website: Website.optional(),
  default_visibility: DefaultVisibility.optional(),
}

const OrgCreate = z.strictObject({ ns: z.string(), ...profile }).openapi('OrgCreate')
const OrgUpdate = z.strictObject(profile).openapi('OrgUpdate')

export const Member = z
  .object({
    username: z.string(),
    display_name: z.string(),
    avatar_url: z.string(),
    role: RoleName,
    joined_at: Time,
    /** `manual`, or `oidc:{provider}` for a role that an external group grants. */
    source: z.string(),
  })
  .openapi('Member')

const MemberSet = z.strictObject({ role: RoleName }).openapi('MemberSet')
const MemberList = listOf(Member, 'MemberList')

export const getNamespace = createRoute({
  method: 'get',
  path: '/namespaces/{ns}',
  operationId: 'getNamespace',
  tags,
  request: { params: Ns },
  responses: { 200: json(Namespace, 'the user or organisation'), ...problems(...seen) },
})

export const createOrg = createRoute({
  method: 'post',
  path: '/orgs',
  operationId: 'createOrg',
  tags,
  request: { body: body(OrgCreate) },
  responses: {
    201: json(Namespace, 'the new organisation; the caller is its admin'),
    ...problems(...changed, 'invalid-request', 'validation-failed', 'invalid-name', 'name-taken'),
  },
})

export const updateOrg = createRoute({
  method: 'patch',
  path: '/orgs/{ns}',
  operationId: 'updateOrg',
  tags,
  request: { params: Ns, body: body(OrgUpdate) },
  responses: {
    200: json(Namespace, 'the organisation as changed'),
    ...problems(...changed, 'invalid-request', 'validation-failed'),
  },
})

export const deleteOrg = createRoute({
  method: 'delete',
  path: '/orgs/{ns}',
  operationId: 'deleteOrg',
  tags,
  request: { params: Ns },
  responses: {
    204: empty('the organisation is gone'),
    ...problems(...changed, 'org-not-empty', 'fresh-sign-in-required'),
  },
})

export const setAvatar = createRoute({
  method: 'put',
  path: '/namespaces/{ns}/avatar',
  operationId: 'setAvatar',
  tags,
  summary: 'Upload the avatar of yourself or of an organisation: PNG, JPEG or WebP, at most 1 MiB',
  description: '`avatar_url` stays the same and leads to the new picture.',
  request: {
    params: Ns,
    body: {
      required: true,
      content: { 'image/*': { schema: z.string().openapi({ format: 'binary' }) } },
    },
  },
  responses: {
    200: json(Namespace, 'the user or organisation, with its avatar'),
    ...problems(...changed, 'validation-failed', 'quota-exceeded', 'store-unavailable'),
  },
})

export const removeAvatar = createRoute({
  method: 'delete',
  path: '/namespaces/{ns}/avatar',
  operationId: 'removeAvatar',
  tags,
  request: { params: Ns },
  responses: { 204: empty('the initials are shown again'), ...problems(...changed) },
})

export const Readme = z.object({ text: z.string(), updated_at: Time.optional() }).openapi('NamespaceReadme')
const ReadmeText = z
  .string()
  .regex(/^[^\0]*$/, 'must not contain NUL')
  .refine((text) => bytesOf(text) <= limits.readmeBytes, `may have at most ${limits.readmeBytes} bytes`)
const ReadmeSet = z
  .strictObject({
    text: ReadmeText.openapi({ description: 'Markdown; an empty text removes the README.' }),
    seen: ReadmeText.optional().openapi({
      description: 'The text that was edited: a change of it meanwhile is a `state-conflict`.',
    }),
  })
  .openapi('NamespaceReadmeSet')

export const getNamespaceReadme = createRoute({
  method: 'get',
  path: '/namespaces/{ns}/readme',
  operationId: 'getNamespaceReadme',
  tags,
  summary: 'What a user or an organisation says of itself, in Markdown; an empty text where it says nothing',
  request: { params: Ns },
  responses: { 200: json(Readme, 'the README'), ...problems(...seen) },
})

export const setNamespaceReadme = createRoute({
  method: 'put',
  path: '/namespaces/{ns}/readme',
  operationId: 'setNamespaceReadme',
  tags,
  summary: 'Write the README of yourself or of an organisation',
  request: { params: Ns, body: body(ReadmeSet) },
  responses: {
    200: json(Readme, 'the README'),
    ...problems(...changed, 'invalid-request', 'validation-failed', 'state-conflict'),
  },
})

export const listMembers = createRoute({
  method: 'get',
  path: '/orgs/{ns}/members',
  operationId: 'listMembers',
  tags,
  request: { params: Ns, query: PageQuery },
  responses: {
    200: json(MemberList, 'Members in name order'),
    ...problems(...seen, 'invalid-cursor', 'validation-failed'),
  },
})

export const getMember = createRoute({
  method: 'get',
  path: '/orgs/{ns}/members/{user}',
  operationId: 'getMember',
  tags,
  request: { params: NsAndUser },
  responses: { 200: json(Member, 'the member'), ...problems(...seen) },
})

export const setMember = createRoute({
  method: 'put',
  path: '/orgs/{ns}/members/{user}',
  operationId: 'setMember',
  tags,
  request: { params: NsAndUser, body: body(MemberSet) },
  responses: {
    200: json(Member, 'the member, added or with the new role'),
    ...problems(...changed, 'invalid-request', 'validation-failed', 'last-admin', 'state-conflict'),
  },
})

export const removeMember = createRoute({
  method: 'delete',
  path: '/orgs/{ns}/members/{user}',
  operationId: 'removeMember',
  tags,
  request: { params: NsAndUser },
  responses: {
    204: empty('no longer a member'),
    ...problems(...changed, 'last-admin', 'state-conflict'),
  },
})
