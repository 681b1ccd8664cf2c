import { expect, test } from 'vitest'
import { appOf, eachDatabase, givenOrg, givenToken, givenUser } from '../../../testing.ts'
import { mountHub } from '../handlers.ts'

eachDatabase('whoami', (world) => {
  test('shows pictures of the host the caller used', async () => {
    const ada = await givenUser(world, 'Ada')
    await givenOrg(world, 'Acme', ada)
    const { secret } = await givenToken(world, ada)
    const app = appOf(world, { root: [mountHub] })
    const answer = await app.request('http://hub.example:9/api/whoami-v2', {
      headers: { Authorization: `Bearer ${secret}` },
    })
    expect(await answer.json()).toMatchObject({
      avatarUrl: 'http://hub.example:9/avatars/Ada.svg',
      orgs: [{ name: 'Acme', avatarUrl: 'http://hub.example:9/avatars/Acme.svg' }],
    })
  })
})
