import { beforeAll, expect, test } from 'vitest'
import { beginSession } from '../auth/session.ts'
import { jobEnded, jobKinds, jobSchedules } from '../../app/housekeeping.ts'
import type { App } from '../../core/http/env.ts'
import { appOf, eachDatabase, givenToken, givenUser } from '../../testing.ts'
import { mountAdmin } from './handlers.ts'
import { AdminOverview } from './routes.ts'

eachDatabase('GET /admin/overview', (world) => {
  let app: App
  const secrets: Record<string, string> = {}
  beforeAll(async () => {
    app = appOf(world, {
      native: [mountAdmin({ kinds: jobKinds, ended: jobEnded, schedules: jobSchedules })],
    })
    const root = await givenUser(world, 'root', { isAdmin: true })
    const ada = await givenUser(world, 'ada')
    const secretOf = async (...given: Parameters<typeof givenToken>) => (await givenToken(...given)).secret
    secrets['an admin’s token'] = await secretOf(world, root, { scopes: ['admin'] })
    secrets['an admin’s token without the scope'] = await secretOf(world, root, { scopes: ['write'] })
    const fenced = { scopes: ['admin' as const], fence: { namespaces: ['root'] } }
    secrets['an admin’s fenced token'] = await secretOf(world, root, fenced)
    secrets['somebody’s token'] = await secretOf(world, ada, { scopes: ['admin'] })
  })
  const ask = (headers: Record<string, string>) => app.request('/api/service/v1/admin/overview', { headers })

  test.each([
    ['an admin’s token', 200, undefined],
    ['an admin’s token without the scope', 403, 'insufficient-scope'],
    ['an admin’s fenced token', 403, 'forbidden'],
    ['somebody’s token', 403, 'forbidden'],
    ['nobody', 401, 'unauthenticated'],
  ])('%s is answered %i', async (who, status, code) => {
    const secret = secrets[who]
    const answer = await ask(secret ? { Authorization: `Bearer ${secret}` } : {})
    expect(answer.status).toBe(status)
    expect((await answer.json()) as object).toMatchObject(code ? { code } : { storage: {} })
  })

  test('an admin’s session is answered, in the form that the document declares and in no other', async () => {
    const root = await givenUser(world, 'second', { isAdmin: true })
    const secret = await world.db.write((tx) => beginSession(tx, world.ctx(), root.id))
    const body: unknown = await (await ask({ Cookie: `service_session=${secret}` })).json()
    expect(AdminOverview.parse(body)).toEqual(body)
  })
})
