import { beforeAll, describe, expect, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { operations as known } from '../../../shared/operations.gen.ts'
import { buildApp } from '../../app/app.ts'
import type { App } from '../../core/http/env.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { disableUser } from '../../rooms/auth/disable-user.ts'
import { eachDatabase, givenToken, givenUser, type World } from '../../testing.ts'
import { baseRequest } from './testing/base-request.ts'
import { operationsOf, type Operation } from './testing/operations.ts'
import { givenScene, type Scene } from './testing/scene.ts'

type OperationId = keyof typeof known
type Headers = Record<string, string>

/**
 * For whom an operation on people and the server is: instance admins, everyone about themselves, everyone in a session about
 * themselves (a token cannot), or everyone, signed in or not.
 */
type Audience = 'admins' | 'self' | 'self in a session' | 'anyone'

const isMeant = (path: string) => /^\/(admin|me|auth)(\/|$)/.test(path)
const meant = (Object.keys(known) as OperationId[]).filter((id) => isMeant(known[id][1]))

/** One row for each operation. A new operation needs one: the first test fails without. */
const rows: Record<Audience, string> = {
  admins: `
    listAdminUsers createAdminUser getAdminUser updateAdminUser listUserSessions endUserSessions listUserTokens
    revokeUserToken createEmailLink createResetLink createInvite listInvites revokeInvite listAdminOrgs listAudit
    exportAudit getAuditChain getAuditStream setAuditStream deleteAuditStream testAuditStream
    getPolicies updatePolicies getAdminLook updateLook setLogo removeLogo getPolicyEffect listInstanceTokens getUpkeep startGc getQueue listSchedules runSchedule
    retryFailedJobs getConfig getStorage startStorageCount getAdminOverview listQuotas updateQuota getHealth updateRepoAsAdmin
    listUnsafeFiles listImportRules setImportRule deleteImportRule listAdminUpstreams createUpstream updateUpstream deleteUpstream checkUpstream`,
  self: `
    updateMe logout listSessions listSignIns revokeSession listTokens createToken revokeToken listOllamaKeys
    createOllamaKey deleteOllamaKey listDeletedRepos listNotifications markNotificationsRead snoozeNotifications listReviewRequests listWatchedRepos getUpstreamToken
    saveUpstreamToken deleteUpstreamToken listPasskeys getDeviceRequest
    decideDevice listSavedSearches createSavedSearch updateSavedSearch deleteSavedSearch`,
  'self in a session': `
    changePassword connectIdentity disconnectIdentity createPasskey createPasskeyOptions updatePasskey deletePasskey
    createRecoveryCodes createConfirmationOptions confirmSession`,
  anyone: `
    getMe login getAuthProviders register getLink redeemLink createPasskeySignInOptions signInWithPasskey finishLogin`,
}
const idsOf = (audience: Audience) => rows[audience].trim().split(/\s+/)
const audiences = Object.keys(rows) as Audience[]

/** Of the owner's alone: others find nothing under its id. */
const owned = [
  'revokeSession',
  'revokeToken',
  'deleteOllamaKey',
  'updatePasskey',
  'deletePasskey',
  'updateSavedSearch',
  'deleteSavedSearch',
]

test('every operation on people and the server has one row', () => {
  expect(audiences.flatMap(idsOf).toSorted()).toEqual(meant.toSorted())
})

async function callersOf(world: World) {
  const tag = randomUUID().slice(0, 8)
  const bearer = async (
    ...given: Parameters<typeof givenToken> extends [World, ...infer Rest] ? Rest : never
  ) => ({
    Authorization: `Bearer ${(await givenToken(world, ...given)).secret}`,
  })
  const session = (actor: Awaited<ReturnType<typeof givenUser>>) => ({
    Cookie: `service_session=${actor.secret}`,
    'X-CSRF-Token': world.deps.secrets.csrfFor(actor.auth.kind === 'session' ? actor.auth.sessionId : ''),
  })
  const person = await givenUser(world, `person-${tag}`)
  const chief = await givenUser(world, `chief-${tag}`, { isAdmin: true })
  const former = await givenUser(world, `former-${tag}`, { isAdmin: true })
  const disabled = await bearer(former, { scopes: ['write', 'admin'] })
  await disableUser(world.ctx(), former.username)
  return {
    anonymous: {} as Headers,
    'a disabled admin': disabled,
    'a person with every scope': await bearer(person, { scopes: ['write', 'admin'] }),
    'a person in a session': session(person),
    'an admin without the scope': await bearer(chief, { scopes: ['write'] }),
    'an admin with a fence': await bearer(chief, {
      scopes: ['admin'],
      fence: { namespaces: [chief.username] },
    }),
  }
}
type Caller = keyof Awaited<ReturnType<typeof callersOf>>

/** What callers who may not are answered. */
const refusals: Record<Exclude<Audience, 'anyone'>, Partial<Record<Caller, [number, string]>>> = {
  admins: {
    anonymous: [401, 'unauthenticated'],
    'a disabled admin': [401, 'bad-credentials'],
    'a person with every scope': [403, 'forbidden'],
    'a person in a session': [403, 'forbidden'],
    'an admin without the scope': [403, 'insufficient-scope'],
    'an admin with a fence': [403, 'forbidden'],
  },
  self: { anonymous: [401, 'unauthenticated'], 'a disabled admin': [401, 'bad-credentials'] },
  'self in a session': {
    anonymous: [401, 'unauthenticated'],
    'a disabled admin': [401, 'bad-credentials'],
    'a person with every scope': [403, 'session-required'],
  },
}

eachDatabase('operations on people and the server', (world) => {
  let app: App
  let scene: Scene
  let operations: Map<string, Operation>
  let callers: Record<Caller, Headers>
  beforeAll(async () => {
    app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    operations = new Map((await operationsOf(app)).map((operation) => [operation.id, operation]))
    scene = await givenScene(world)
    callers = await callersOf(world)
  })

  /** Status, code and the whole of an operation's answer, about what is there or about what is not. */
  async function ask(id: string, headers: Headers, isAbsent: boolean) {
    const operation = operations.get(id)
    if (!operation) throw new Error(`there is no operation ${id}`)
    const base = await baseRequest(app, operation, scene)
    const value = (name: string) => (isAbsent ? randomUUID() : (base.path[name] ?? ''))
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => value(name))
    const query = base.query.map(([name, text]) => `${name}=${text}`).join('&')
    const { body } = base
    const answer = await app.request(`${nativeBase}${path}?${query}`, {
      method: operation.method,
      headers: { ...headers, ...base.headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const json = JSON.parse((await answer.text()) || '{}') as Record<string, unknown>
    const code = json['code']
    // These differ with every request, and with the address that was asked.
    for (const name of ['request_id', 'instance']) delete json[name]
    return { is: [answer.status, code], rest: JSON.stringify(json) }
  }

  describe.each(Object.entries(refusals))('for %s', (audience, refused) => {
    test.each(idsOf(audience as Audience))('%s refuses others, whatever it names', async (id) => {
      for (const [caller, expected] of Object.entries(refused)) {
        const [there, absent] = [
          await ask(id, callers[caller as Caller], false),
          await ask(id, callers[caller as Caller], true),
        ]
        expect({ caller, ...there }).toEqual({ caller, is: expected, rest: absent.rest })
        expect(absent.is).toEqual(expected)
      }
    })
  })

  test.each(owned)('%s finds nothing of another person’s', async (id) => {
    const session = callers['a person in a session']
    const [there, absent] = [await ask(id, session, false), await ask(id, session, true)]
    expect(there).toEqual(absent)
    expect(there.is).toEqual([404, 'not-found'])
  })

  test.each(idsOf('anyone'))('%s asks no caller to sign in first', async (id) => {
    expect((await ask(id, callers.anonymous, false)).is[1]).not.toBe('unauthenticated')
  })
})
