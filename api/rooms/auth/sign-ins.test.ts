import { expect, test } from 'vitest'
import { eachDatabase, givenToken, givenUser } from '../../testing.ts'
import { hashPassword } from './passwords.ts'
import { base, client, origin, password } from './testing.ts'

eachDatabase('sign-ins over HTTP', (world) => {
  const call = client(world)

  test('are listed for the person they are about, refused ones too, page by page', async () => {
    const passwordHash = await hashPassword(password)
    const ada = await givenUser(world, 'ada', { passwordHash })
    await givenUser(world, 'bob', { passwordHash })
    const attempt = (username: string, given: string) =>
      call('POST', `${base}/auth/login`, {
        body: { username, password: given },
        headers: { Origin: origin, 'User-Agent': 'Firefox/128\tX11' },
        ip: '192.0.2.80',
      })
    await attempt('ada', password)
    await attempt('ada', 'wrong')
    await attempt('bob', 'wrong')
    const bearer = (await givenToken(world, ada)).secret
    const list = (query: string) => call('GET', `${base}/me/sign-ins?${query}`, { bearer })
    const first = await list('limit=1')
    expect(first.json).toMatchObject({
      items: [{ ip: '192.0.2.80', client: 'Firefox/128 X11', method: 'password', outcome: 'refused' }],
    })
    const next = await list(`limit=1&cursor=${String(first.json?.['next_cursor'])}`)
    expect(next.json).toMatchObject({ items: [{ outcome: 'ok' }] })
    expect(next.json?.['next_cursor']).toBe('')
    expect(await call('GET', `${base}/me/sign-ins`)).toMatchObject({ status: 401 })
  })
})
