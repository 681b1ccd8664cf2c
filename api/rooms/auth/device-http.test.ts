import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { appOf, eachDatabase, givenToken, givenUser } from '../../testing.ts'
import { mountOAuth } from './oauth-handlers.ts'
import { hfClientId } from './request-device.ts'
import { base, client, origin, type Call } from './testing.ts'

eachDatabase('device login over HTTP', (world) => {
  const call = client(world)
  let ada: UserActor & { secret: string }
  let csrf = ''
  let token = ''
  beforeAll(async () => {
    ada = await givenUser(world, 'Ada')
    csrf = ada.auth.kind === 'session' ? world.deps.secrets.csrfFor(ada.auth.sessionId) : ''
    token = (await givenToken(world, ada, { name: 'laptop' })).secret
  })

  const form = (path: string, fields: Record<string, string>, ip = '192.0.2.90') =>
    call('POST', path, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      ip,
    })
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'

  test('names the page of server.public_url, whatever host the device asked', async () => {
    const app = appOf(world, { root: [mountOAuth] })
    const begun = await app.request('http://evil.example/oauth/device', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Host: 'evil.example' },
      body: `client_id=${hfClientId}`,
    })
    expect(begun.status).toBe(200)
    const { verification_uri, verification_uri_complete } = (await begun.json()) as Record<string, string>
    expect([verification_uri, verification_uri_complete?.split('?')[0]]).toEqual([
      'http://localhost:8080/device',
      'http://localhost:8080/device',
    ])
  })

  test('runs from the code to a token that works', async () => {
    const begun = await form('/oauth/device', { client_id: hfClientId })
    const { device_code = '', user_code = '' } = begun.json as Record<string, string>
    expect(begun).toMatchObject({ status: 200 })
    expect(begun.json).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/) as string,
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/) as string,
      verification_uri: `${origin}/device`,
      verification_uri_complete: `${origin}/device?code=${user_code}`,
      expires_in: 900,
      interval: 5,
    })
    const poll = () => form('/oauth/token', { grant_type, device_code, client_id: hfClientId })
    expect(await poll()).toMatchObject({ status: 400, json: { error: 'authorization_pending' } })
    const shown = await call('GET', `${base}/me/device?user_code=${user_code}`, { session: ada.secret })
    expect(shown).toMatchObject({ status: 200, json: { user_code, scopes: ['write'], ip: '192.0.2.90' } })
    const decide = (headers: Call) =>
      call('POST', `${base}/me/device`, { ...headers, body: { user_code, decision: 'approve' } })
    expect(await decide({ session: ada.secret })).toMatchObject({
      status: 403,
      json: { code: 'csrf-token-invalid' },
    })
    expect(await decide({ session: ada.secret, csrf })).toMatchObject({ status: 204 })
    const done = await poll()
    expect(done).toMatchObject({ status: 200, json: { token_type: 'bearer' } })
    expect(done.headers.get('cache-control')).toBe('no-store')
    const bearer = String(done.json?.['access_token'])
    expect(bearer).toMatch(/^hf_asl_/)
    expect(await call('GET', `${base}/me`, { bearer })).toMatchObject({
      status: 200,
      json: { username: 'Ada' },
    })
    expect(await poll()).toMatchObject({ status: 400, json: { error: 'invalid_grant' } })
  })

  test.each([
    ['/oauth/device', {}, 'invalid_request'],
    ['/oauth/device', { client_id: 'another' }, 'invalid_client'],
    ['/oauth/token', {}, 'invalid_request'],
    ['/oauth/token', { grant_type, client_id: hfClientId }, 'invalid_request'],
    ['/oauth/token', { grant_type, device_code: 'x', client_id: 'another' }, 'invalid_client'],
    ['/oauth/token', { grant_type, device_code: 'x', client_id: hfClientId }, 'invalid_grant'],
    ['/oauth/token', { grant_type: 'refresh_token', client_id: hfClientId }, 'unsupported_grant_type'],
    [
      '/oauth/token',
      { grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange' },
      'unsupported_grant_type',
    ],
  ])('%s with %j is 400 %s, in JSON', async (path, fields, error) => {
    const answer = await form(path, fields as Record<string, string>)
    expect(answer).toMatchObject({ status: 400, json: { error } })
    expect(answer.json?.['error_description']).toBeTypeOf('string')
  })

  test('a body that is no form is 400 in JSON, and so is a huge one', async () => {
    const json = await call('POST', '/oauth/token', { body: { grant_type } })
    expect(json).toMatchObject({ status: 400, json: { error: 'invalid_request' } })
    expect(await form('/oauth/token', { grant_type: 'x'.repeat(70_000) })).toMatchObject({
      status: 400,
      json: { error: 'invalid_request' },
    })
  })

  test('polls that come too soon get slow_down, and polls after a denial get access_denied', async () => {
    const { device_code = '', user_code = '' } = (await form('/oauth/device', { client_id: hfClientId }))
      .json as Record<string, string>
    const poll = () => form('/oauth/token', { grant_type, device_code, client_id: hfClientId })
    await poll()
    expect(await poll()).toMatchObject({ status: 400, json: { error: 'slow_down' } })
    await call('POST', `${base}/me/device`, { bearer: token, body: { user_code, decision: 'deny' } })
    expect(await poll()).toMatchObject({ status: 400, json: { error: 'access_denied' } })
  })

  test('an unknown code is 404, a malformed decision 422', async () => {
    expect(await call('GET', `${base}/me/device?user_code=BBBB-BBBB`, { bearer: token })).toMatchObject({
      status: 404,
    })
    expect(await call('GET', `${base}/me/device`, { bearer: token })).toMatchObject({ status: 422 })
    const body = { user_code: 'BBBB-BBBB', decision: 'maybe' }
    expect(await call('POST', `${base}/me/device`, { bearer: token, body })).toMatchObject({ status: 422 })
  })
})
