import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { loadConfig, type Config } from '../../../platform/config/index.ts'
import { keys } from '../../../platform/config/keys.ts'
import { eachDatabase } from '../../../testing.ts'
import { attempt, givenProvider, serverOf, type Outcome, type TestProvider } from './testing.ts'

/** Where the providers are configured; both must do the same. */
const sources: Record<string, (dir: string, providers: object[]) => Promise<Config>> = {
  'a YAML file': async (dir, providers) => {
    const file = join(dir, `${randomBytes(4).toString('hex')}.yaml`)
    await writeFile(file, stringify({ server: { public_url: 'http://localhost:8080' }, oidc: { providers } }))
    return loadConfig({ file })
  },
  'JSON in the environment': async (_dir, providers) =>
    loadConfig({
      env: {
        SERVICE_SERVER_PUBLIC_URL: 'http://localhost:8080',
        SERVICE_OIDC_PROVIDERS: JSON.stringify(providers),
      },
    }),
}

/** What two sign-ins of one person show, with groups and then without, and one at a provider that makes no accounts. */
interface Seen {
  subject: string
  org: string
  buttons: { id: string; name: string; start_url: string }[]
  first: Outcome
  account: Record<string, unknown>
  later: Record<string, unknown>
  stranger: Outcome
  /** Paths that the provider was asked for. */
  paths: string[]
}

/** Every value here differs from its default, and from what the provider would do without it. */
const effects: Record<string, (seen: Seen) => [is: unknown, expected: unknown]> = {
  'oidc.providers': ({ buttons }) => [buttons.length, 2],
  'oidc.providers[].id': ({ buttons, first }) => [
    [buttons[0]?.start_url, first.asked.get('redirect_uri')],
    ['/auth/oidc/corp-7/start', 'http://localhost:8080/auth/oidc/corp-7/callback'],
  ],
  'oidc.providers[].name': ({ buttons }) => [buttons[0]?.name, 'Corp & Co'],
  'oidc.providers[].issuer': ({ paths }) => [paths[0], '/.well-known/openid-configuration'],
  'oidc.providers[].client_id': ({ first }) => [first.asked.get('client_id'), 'hub-client'],
  'oidc.providers[].client_secret': ({ first }) => [
    Buffer.from(first.authorization?.replace('Basic ', '') ?? '', 'base64').toString(),
    'hub-client:s3cret%2F%2B',
  ],
  'oidc.providers[].scopes': ({ first }) => [first.asked.get('scope'), 'openid roles'],
  'oidc.providers[].claims': ({ account, subject }) => [
    [account['username'], account['display_name'], account['email']],
    [`${subject}-x`, 'Kay', `${subject}@corp.example`],
  ],
  'oidc.providers[].admin_groups': ({ account, later }) => [
    [account['is_admin'], later['is_admin']],
    [true, false],
  ],
  'oidc.providers[].org_mappings': ({ account }) => [account['orgs'], [expect.anything()]],
  'oidc.providers[].org_mappings[].group': ({ later }) => [later['orgs'], []],
  'oidc.providers[].org_mappings[].org': ({ account, org }) => [
    account['orgs'],
    [expect.objectContaining({ ns: org })],
  ],
  'oidc.providers[].org_mappings[].role': ({ account }) => [
    account['orgs'],
    [expect.objectContaining({ role: 'write' })],
  ],
  'oidc.providers[].auto_create_users': ({ first, stranger }) => [
    [first.status, stranger.status],
    [303, 403],
  ],
}

test('every key of a provider has a row', () => {
  const known = keys().map(({ name }) => name)
  expect(Object.keys(effects).toSorted()).toEqual(known.filter((name) => name.startsWith('oidc.')).toSorted())
})

eachDatabase('providers that are configured', (world) => {
  describe.each(Object.entries(sources))('by %s', (_, load) => {
    let idp: TestProvider
    let seen: Seen
    beforeAll(async () => {
      idp = await givenProvider()
      const tag = randomBytes(3).toString('hex')
      const org = `crew-${tag}`
      const common = { issuer: idp.issuer, client_id: 'hub-client', client_secret: 's3cret/+' }
      const config = await load(world.dir, [
        {
          id: 'corp-7',
          name: 'Corp & Co',
          ...common,
          scopes: ['openid', 'roles'],
          claims: { username: 'person.login', email: 'mail', name: 'label', groups: 'roles' },
          admin_groups: ['chiefs', 'bosses'],
          org_mappings: [{ group: 'crew', org, role: 'write' }],
          auto_create_users: true,
        },
        { id: 'closed', name: 'Closed', ...common },
      ])
      const to = serverOf(world, config)
      const me = async ({ session }: Outcome) => {
        const headers = { Cookie: `service_session=${session}` }
        return (await (await to.app.request('/api/service/v1/me', { headers })).json()) as Seen['account']
      }
      const claims = (subject: string, roles: string[]) => ({
        aud: 'hub-client',
        person: { login: `${subject}-x` },
        mail: `${subject}@corp.example`,
        label: 'Kay',
        roles,
      })
      const sign = (id: string, roles: string[], subject = `kay-${tag}`) =>
        attempt(to, idp, id, subject, { ip: '192.0.2.77', claims: claims(subject, roles) })
      const providers = await (await to.app.request('/api/service/v1/auth/providers')).json()
      const { providers: buttons } = providers as { providers: Seen['buttons'] }
      // An admin of both, so that neither is the last one when the groups are gone.
      await sign('corp-7', ['chiefs'], `root-${tag}`)
      const first = await sign('corp-7', ['bosses', 'crew'])
      const account = await me(first)
      const later = await me(await sign('corp-7', ['others']))
      const stranger = await sign('closed', [], `stranger-${tag}`)
      seen = { subject: `kay-${tag}`, org, buttons, first, account, later, stranger, paths: idp.asked }
    })
    afterAll(() => idp.close())

    test.each(Object.entries(effects))('%s acts', (_key, effect) => {
      const [is, expected] = effect(seen)
      expect(is).toEqual(expected)
    })
  })
})
