import { z } from 'zod'
import { nameFault } from '../../../../shared/vocabulary.ts'
import { bool, list, secret, text } from '../makers.ts'
import { section, unlessEmpty, url } from './section.ts'

const claims = section({
  username: text('preferred_username'),
  email: text('email'),
  name: text('name'),
  groups: text('groups'),
}).meta({ kind: 'map of strings', shown: 'preferred_username, email, name, groups' })

const provider = z.strictObject({
  id: text()
    .superRefine(unlessEmpty((v) => (/^[a-z0-9-]+$/.test(v) ? undefined : 'may hold a-z, 0-9 and - alone')))
    .describe('Stable provider id used in callback URLs.'),
  name: text().describe('Name on the sign-in button.'),
  issuer: text().superRefine(url()).describe('Issuer URL used for discovery.'),
  client_id: text().describe('OAuth client id.'),
  client_secret: secret('').describe('OAuth client secret; empty for public clients.'),
  scopes: list(['openid', 'profile', 'email']).describe('Scopes to request.'),
  claims: claims.describe('Claim names for `username`, `email`, `name` and `groups`.'),
  admin_groups: list().describe('Members are instance admins; checked at every sign-in.'),
  org_mappings: z
    .array(
      z.strictObject({
        group: text().describe('Group claim value.'),
        org: text().superRefine(unlessEmpty(nameFault)).describe('Organisation name.'),
        role: text('read', ['read', 'write', 'admin']).describe('`read`, `write` or `admin`.'),
      }),
    )
    .default([])
    .meta({ kind: 'list of objects', shown: 'empty' })
    .describe('Groups that grant organisation roles; checked at every sign-in.'),
  auto_create_users: bool(false).describe('Create a user on first sign-in.'),
})

export const oidc = section({
  providers: z
    .array(provider)
    .default([])
    .meta({ kind: 'list of objects', shown: 'empty' })
    .describe(
      'External sign-in providers, shown as buttons; set in YAML, or as a JSON array in the environment variable.',
    ),
})
