import { expect, test } from 'vitest'
import { loadConfig, secretValues } from './index.ts'

test('secrets are found at the top, under upstream ids, in lists and in the database address', () => {
  const config = loadConfig({
    set: [
      'server.public_url=http://hub.test',
      'security.bootstrap_admin.password=admin-pass',
      'upstreams.lab.base_url=https://lab.test',
      'upstreams.lab.token=lab-token',
      'oidc.providers=[{"id":"a","name":"A","issuer":"https://id.test","client_id":"c","client_secret":"oidc-secret"}]',
      'database.driver=postgres',
      'database.dsn=postgres://user:p%40ss@db/arsenal',
    ],
  })
  expect(secretValues(config).sort()).toEqual(['admin-pass', 'lab-token', 'oidc-secret', 'p%40ss', 'p@ss'])
})
