import { beforeAll, describe, expect, test } from 'vitest'
import { appOf, eachDatabase, givenToken, givenUser } from '../../testing.ts'
import type { App } from '../../core/http/env.ts'

/** A surface outside the native one that says who asks. */
function mountWho(app: App): void {
  app.all('*', (c) => {
    const { actor } = c.var.ctx
    return c.text(actor.kind === 'user' ? `${actor.username} by ${actor.auth.kind}` : actor.kind)
  })
}

eachDatabase('identification outside the native surface', (world) => {
  let token = ''
  let session = ''
  let csrfless: Record<string, string> = {}
  beforeAll(async () => {
    const ada = await givenUser(world, 'ada')
    session = ada.secret
    token = (await givenToken(world, ada)).secret
    csrfless = { Cookie: `service_session=${session}` }
  })
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await appOf(world, { root: [mountWho] }).request(path, { method, headers })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }
  const basic = (name: string, secret: string) => ({
    Authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
  })

  test('a bearer token speaks everywhere, in any case of the scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect(await ask('/ns/repo/resolve/main/x', { Authorization: `${scheme} ${token}` })).toMatchObject({
        text: 'ada by token',
      })
  })

  test('a bad one is 401 everywhere, on public pages too', async () => {
    for (const path of ['/', '/ns/repo/resolve/main/x', '/api/models', '/ns/repo.git/info/lfs/objects/batch'])
      for (const value of ['Bearer hf_wrong', 'Bearer', 'Bearer ', 'Token x', ' '])
        expect(await ask(path, { Authorization: value })).toMatchObject({
          status: value.trim() === '' ? 200 : 401,
        })
  })

  describe('git', () => {
    test.each([
      '/ns/repo.git/info/refs?service=git-upload-pack',
      '/ns/repo.git/info/lfs/objects/batch',
      '/ns/repo/info/refs',
      '/ns/repo/git-receive-pack',
    ])('sends the token as a password to %s', async (path) => {
      expect(await ask(path, basic('anybody', token))).toMatchObject({ text: 'ada by token' })
      expect(await ask(path, basic('anybody', 'wrong'))).toMatchObject({ status: 401 })
    })

    test('a name without a password is no attempt', async () => {
      expect(await ask('/ns/repo.git/info/refs', basic('ada', ''))).toMatchObject({ text: 'anonymous' })
    })

    test('control characters in the name reach no query', async () => {
      expect(await ask('/ns/repo.git/info/refs', basic('a\0b', 'wrong'))).toMatchObject({ status: 401 })
    })

    test('basic credentials are refused elsewhere, since browsers send them by themselves', async () => {
      expect(await ask('/api/models', basic('ada', token))).toMatchObject({ status: 401 })
    })
  })

  describe('the session cookie', () => {
    test('reads', async () => {
      expect(await ask('/ns/repo/resolve/main/x', csrfless)).toMatchObject({ text: 'ada by session' })
      expect(await ask('/api/models', csrfless)).toMatchObject({ text: 'ada by session' })
    })

    test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('changes nothing: %s is anonymous', async (method) => {
      expect(await ask('/api/repos/create', csrfless, method)).toMatchObject({ text: 'anonymous' })
    })

    test('of a session that has ended lets pages load, and is taken away', async () => {
      const { text, headers } = await ask('/login', { Cookie: 'service_session=ended' })
      expect(text).toBe('anonymous')
      expect(headers.get('set-cookie')).toMatch(/^service_session=; Max-Age=0;/)
    })
  })

  test('a token in the query string is ignored', async () => {
    expect(await ask(`/ns/repo/resolve/main/x?token=${token}&access_token=${token}`)).toMatchObject({
      text: 'anonymous',
    })
  })
})
