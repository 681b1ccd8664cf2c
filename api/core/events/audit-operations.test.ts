import { asc, gt } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { operations } from '../../../shared/operations.gen.ts'
import type { UserActor } from '../access/index.ts'
import { nativeRooms } from '../../app/app.ts'
import { hashPassword } from '../../rooms/auth/passwords.ts'
import { Authenticator } from '../../rooms/auth/passkeys/testing.ts'
import { requestDevice } from '../../rooms/auth/request-device.ts'
import { newId } from '../../stores/db/index.ts'
import { givenPullRequest } from '../../rooms/discussions/testing.ts'
import { ollamaKeyLine } from '../../surfaces/server/testing/scene.ts'
import type { App } from '../http/env.ts'
import { nativeBase } from '../http/surface.ts'
import { appOf, eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { unaudited } from './unaudited-operations.ts'

type OperationId = keyof typeof operations

const publicKey = ollamaKeyLine('audit')

const changing = (Object.keys(operations) as OperationId[]).filter((id) => operations[id][0] !== 'GET')
const [password, better] = ['quiet-otter-lamp-42', 'brisk-heron-vault-77'] as const

interface Step {
  id: OperationId
  as: UserActor
  params?: Record<string, string | number>
  body?: unknown
  /** Instead of the caller's token. */
  headers?: Record<string, string>
  actions: string[]
}

eachDatabase('every operation that changes something', (world) => {
  let app: App | undefined
  const credentials = new Map<string, Record<string, string>>()

  async function givenCaller(name: string, isAdmin = false) {
    const user = await givenUser(world, name, { isAdmin, passwordHash: await hashPassword(password) })
    const scopes = isAdmin ? (['write', 'admin'] as const) : (['write'] as const)
    const { secret } = await givenToken(world, user, { scopes: [...scopes] })
    credentials.set(user.id, { Authorization: `Bearer ${secret}` })
    return user
  }

  /** Sends the request of a step, which must succeed; the answer, and the rows it left. */
  async function take({ id, as, params = {}, body, headers }: Omit<Step, 'actions'>) {
    const [method, template] = operations[id]
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
    const mark = newId()
    app ??= appOf(world, { native: nativeRooms })
    const answer = await app.request(`${nativeBase}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(headers ?? credentials.get(as.id)) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    expect(answer.status, `${id}: ${text}`).toBeLessThan(300)
    const { q, t } = world.db
    const rows = await q.select().from(t.audit).where(gt(t.audit.id, mark)).orderBy(asc(t.audit.id))
    const json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
    return { json, actions: rows.map(({ action }) => action), rows }
  }

  test('has a row of the audit, or a reason not to', async () => {
    const done = new Map<OperationId, string[]>()
    const expected = new Map<OperationId, string[]>()
    const step = async ({ actions, ...request }: Step) => {
      const taken = await take(request)
      done.set(request.id, taken.actions)
      expected.set(request.id, actions)
      expect(JSON.stringify(taken.rows)).not.toMatch(/quiet-otter|brisk-heron|hf_asl_/)
      return taken.json
    }
    const ada = await givenCaller('ada')
    const bob = await givenCaller('bob')
    const root = await givenCaller('root', true)

    const csrf = ada.auth.kind === 'session' ? world.deps.secrets.csrfFor(ada.auth.sessionId) : ''
    await step({
      id: 'changePassword',
      as: ada,
      body: { current_password: password, new_password: better },
      headers: { Cookie: `service_session=${ada.secret}`, 'X-CSRF-Token': csrf },
      actions: ['password.change'],
    })
    const account = { username: 'ada', password: better }
    await step({ id: 'login', as: ada, body: account, headers: {}, actions: ['login.ok'] })
    const inSession = { Cookie: `service_session=${ada.secret}`, 'X-CSRF-Token': csrf }
    const device = new Authenticator(new URL(world.deps.config.server.public_url).origin)
    const options = async (id: OperationId, headers = inSession) =>
      (await take({ id, as: ada, headers })).json as { challenge: string }
    const made = device.register(await options('createPasskeyOptions'))
    const passkey = await step({
      id: 'createPasskey',
      as: ada,
      body: { name: 'Laptop', credential: made },
      headers: inSession,
      actions: ['passkey.create', 'recovery_codes.create'],
    })
    const lacking = (await take({ id: 'login', as: ada, body: account, headers: {} })).json
    await step({
      id: 'finishLogin',
      as: ada,
      body: { ticket: lacking['ticket'], recovery_code: (passkey['recovery_codes'] as string[])[0] },
      headers: {},
      actions: ['recovery_codes.use', 'login.ok'],
    })
    await step({
      id: 'signInWithPasskey',
      as: ada,
      body: { passkey: device.sign(await options('createPasskeySignInOptions', {} as typeof inSession)) },
      headers: {},
      actions: ['login.ok'],
    })
    await step({
      id: 'confirmSession',
      as: ada,
      body: { passkey: device.sign(await options('createConfirmationOptions')) },
      headers: inSession,
      actions: ['session.confirm'],
    })
    const own = { as: ada, headers: inSession, params: { id: String(passkey['id']) } }
    await step({ ...own, id: 'createRecoveryCodes', actions: ['recovery_codes.create'] })
    await step({ ...own, id: 'updatePasskey', body: { name: 'Key' }, actions: ['passkey.rename'] })
    await step({ ...own, id: 'deletePasskey', actions: ['passkey.remove'] })
    const lifted = { token_require_expiry: false }
    await step({ id: 'updatePolicies', as: root, body: lifted, actions: ['policies.update'] })
    const look = { name: 'Hub of Acme' }
    await step({ id: 'updateLook', as: root, body: look, actions: ['look.update'] })
    const siem = { url: 'https://8.8.8.8/audit', token: 'hf_asl_siem', enabled: false }
    await step({ id: 'setAuditStream', as: root, body: siem, actions: ['audit.stream.set'] })
    await step({ id: 'deleteAuditStream', as: root, actions: ['audit.stream.delete'] })
    const token = await step({
      id: 'createToken',
      as: ada,
      body: { name: 'ci', scopes: ['read'] },
      actions: ['token.create'],
    })
    await step({ id: 'revokeToken', as: ada, params: { id: String(token['id']) }, actions: ['token.revoke'] })
    const ollamaKey = await step({
      id: 'createOllamaKey',
      as: ada,
      body: { name: 'gpu-1', public_key: publicKey },
      actions: ['ollama-key.create'],
    })
    await step({
      id: 'deleteOllamaKey',
      as: ada,
      params: { id: String(ollamaKey['id']) },
      actions: ['ollama-key.delete'],
    })
    const sessions = (await take({ id: 'listSessions', as: ada })).json['items'] as { id: string }[]
    await step({
      id: 'revokeSession',
      as: ada,
      params: { id: sessions[0]?.id ?? '' },
      actions: ['session.revoke'],
    })
    const { login } = await requestDevice(world.ctx())
    const decision = { user_code: login.user_code, decision: 'approve' }
    await step({ id: 'decideDevice', as: ada, body: decision, actions: ['device.approve'] })

    await step({ id: 'createOrg', as: ada, body: { ns: 'acme' }, actions: ['org.create'] })
    const acme = { ns: 'acme' }
    await step({ id: 'updateOrg', as: ada, params: acme, body: { bio: 'x' }, actions: ['org.update'] })
    const member = { ns: 'acme', user: 'bob' }
    await step({
      id: 'setMember',
      as: ada,
      params: member,
      body: { role: 'write' },
      actions: ['org.member.set'],
    })
    await step({ id: 'removeMember', as: ada, params: member, actions: ['org.member.remove'] })
    const hub = { id: 'partner', base_url: 'https://partner.example', token: 'hf_asl_partner' }
    const partner = { id: 'partner' }
    await step({ id: 'createUpstream', as: root, body: hub, actions: ['upstream.create'] })
    const off = { enabled: false }
    await step({ id: 'updateUpstream', as: root, params: partner, body: off, actions: ['upstream.update'] })
    await step({ id: 'deleteUpstream', as: root, params: partner, actions: ['upstream.delete'] })
    const svc = { module: 'sklearn.svm', name: 'SVC' }
    const allowed = { safety: 'innocuous' }
    await step({ id: 'setImportRule', as: root, params: svc, body: allowed, actions: ['scan.import.set'] })
    await step({ id: 'deleteImportRule', as: root, params: svc, actions: ['scan.import.delete'] })
    const quota = { ns: 'acme', quota_bytes: 1e9 }
    const task = { kind: 'fsck' }
    await step({ id: 'runSchedule', as: root, params: task, actions: ['admin.schedule.run'] })
    await step({ id: 'updateQuota', as: root, body: quota, actions: ['namespace.quota.set'] })
    await step({ id: 'deleteOrg', as: ada, params: acme, actions: ['org.delete'] })

    const eve = await step({
      id: 'createAdminUser',
      as: root,
      body: { username: 'eve' },
      actions: ['user.create', 'link.reset.create'],
    })
    const ofEve = { id: String(eve['id']) }
    await step({
      id: 'updateAdminUser',
      as: root,
      params: ofEve,
      body: { display_name: 'Eve', email: 'eve@example.org', is_admin: true, disabled: true },
      actions: ['user.update', 'user.email.set', 'user.admin.set', 'user.disable'],
    })
    await take({ id: 'updateAdminUser', as: root, params: ofEve, body: { disabled: false } })
    await step({ id: 'createResetLink', as: root, params: ofEve, actions: ['link.reset.create'] })
    await step({ id: 'endUserSessions', as: root, params: ofEve, actions: ['session.end'] })
    await take({ id: 'updateMe', as: bob, body: { email: 'bob@example.org' } })
    const address = { email: 'bob@example.org' }
    const ofBob = { id: bob.id }
    await step({
      id: 'createEmailLink',
      as: root,
      params: ofBob,
      body: address,
      actions: ['link.email.create'],
    })
    const bobs = await take({ id: 'createToken', as: bob, body: { name: 'spare', scopes: ['read'] } })
    await step({
      id: 'revokeUserToken',
      as: root,
      params: { ...ofBob, token_id: String(bobs.json['id']) },
      actions: ['token.revoke'],
    })
    const invite = await step({ id: 'createInvite', as: root, body: {}, actions: ['link.invite.create'] })
    await step({
      id: 'redeemLink',
      as: root,
      params: { secret: String(invite['url']).split('/').at(-1) ?? '' },
      body: { username: 'fay', password },
      headers: {},
      actions: ['user.create', 'link.invite.redeem'],
    })
    await take({ id: 'createInvite', as: root, body: {} })
    const open = (await take({ id: 'listInvites', as: root })).json['items'] as { id: string }[]
    await step({
      id: 'revokeInvite',
      as: root,
      params: { id: open[0]?.id ?? '' },
      actions: ['link.invite.revoke'],
    })

    const wanted = { type: 'model', ns: 'ada', name: 'a' }
    const { id: repoId } = await step({ id: 'createRepo', as: ada, body: wanted, actions: ['repo.create'] })
    const at = (name: string, ns = 'ada') => ({ type: 'models', ns, name })
    const asAdmin = { id: String(repoId) }
    const disabled = { disabled: true, reason: 'law' }
    await step({
      id: 'updateRepoAsAdmin',
      as: root,
      params: asAdmin,
      body: disabled,
      actions: ['repo.disable'],
    })
    await take({ id: 'updateRepoAsAdmin', as: root, params: asAdmin, body: { disabled: false } })
    const gate = { visibility: 'public', gated: 'manual' }
    await step({ id: 'updateRepo', as: ada, params: at('a'), body: gate, actions: ['repo.update'] })
    await step({ id: 'renameRepo', as: ada, params: at('a'), body: { name: 'b' }, actions: ['repo.rename'] })
    await take({ id: 'createOrg', as: ada, body: { ns: 'other' } })
    await step({
      id: 'transferRepo',
      as: ada,
      params: at('b'),
      body: { ns: 'other' },
      actions: ['repo.transfer'],
    })
    const b = at('b', 'other')
    const people = { items: [{ username: 'root', role: 'read' }] }
    await step({
      id: 'setCollaborators',
      as: ada,
      params: b,
      body: people,
      actions: ['repo.collaborators.set'],
    })
    const asked = await step({
      id: 'createAccessRequest',
      as: bob,
      params: b,
      body: {},
      actions: ['repo.access.request'],
    })
    await step({
      id: 'decideAccessRequest',
      as: ada,
      params: { ...b, id: String(asked['id']) },
      body: { status: 'accepted' },
      actions: ['repo.access.accept'],
    })
    const rule = await step({
      id: 'createBranchRule',
      as: ada,
      params: b,
      body: { pattern: 'main' },
      actions: ['repo.branch_rule.create'],
    })
    const ofRule = { as: ada, params: { ...b, id: String(rule['id']) } }
    const looser = { allow_deletion: true }
    await step({ id: 'updateBranchRule', ...ofRule, body: looser, actions: ['repo.branch_rule.update'] })
    await step({ id: 'deleteBranchRule', ...ofRule, actions: ['repo.branch_rule.delete'] })
    const bug = { name: 'bug', color: 'red' }
    const label = await step({
      id: 'createLabel',
      as: ada,
      params: b,
      body: bug,
      actions: ['repo.label.create'],
    })
    const ofLabel = { as: ada, params: { ...b, id: String(label['id']) } }
    await step({ id: 'updateLabel', ...ofLabel, body: { color: 'blue' }, actions: ['repo.label.update'] })
    await step({ id: 'deleteLabel', ...ofLabel, actions: ['repo.label.delete'] })
    await step({ id: 'deleteRepo', as: ada, params: b, actions: ['repo.delete'] })
    await step({ id: 'restoreRepo', as: ada, params: b, actions: ['repo.restore'] })
    await step({ id: 'purgeUnreachable', as: ada, params: b, actions: ['repo.purge-unreachable'] })

    const talk = await givenRepo(world, ada, { name: 'talk', visibility: 'public' })
    const num = await givenPullRequest(world, bob, talk, { 'new.txt': 'new' })
    const thread = { ...at('talk'), num }
    const title = { title: 'Better' }
    await step({
      id: 'updateDiscussion',
      as: ada,
      params: thread,
      body: title,
      actions: ['discussion.update'],
    })
    const comment = (await take({ id: 'createComment', as: bob, params: thread, body: { body: 'x' } })).json
    const said = { ...thread, id: String(comment['id']) }
    await step({ id: 'editComment', as: ada, params: said, body: { body: 'y' }, actions: ['comment.edit'] })
    const { pull_request: pull } = (await take({ id: 'getDiscussion', as: bob, params: thread })).json as {
      pull_request: { head_commit: string }
    }
    const line = { path: 'new.txt', side: 'new', line: 1, commit: pull.head_commit }
    const review = { body: 'x', place: line }
    const asks = (await take({ id: 'createComment', as: bob, params: thread, body: review })).json
    const onLine = { ...thread, id: String(asks['id']) }
    await step({ id: 'resolveThread', as: ada, params: onLine, actions: ['comment.resolve'] })
    await step({ id: 'reopenThread', as: ada, params: onLine, actions: ['comment.reopen'] })
    await step({ id: 'hideComment', as: ada, params: said, actions: ['comment.hide'] })
    await step({ id: 'mergePullRequest', as: ada, params: thread, body: {}, actions: ['pull_request.merge'] })

    const zip = await take({ id: 'createZip', as: ada, params: at('talk') })
    const job = { id: String(zip.json['id']) }
    await take({ id: 'cancelJob', as: ada, params: job })
    await step({ id: 'retryJob', as: ada, params: job, actions: ['job.retry'] })

    const list = await step({
      id: 'createCollection',
      as: ada,
      body: { ns: 'ada', title: 'List' },
      actions: ['collection.create'],
    })
    const its = { ns: 'ada', slug: String(list['slug']) }
    await step({ id: 'updateCollection', as: ada, params: its, body: title, actions: ['collection.update'] })
    const item = { item: { type: 'model', ns: 'ada', name: 'talk' } }
    await step({
      id: 'addCollectionItem',
      as: ada,
      params: its,
      body: item,
      actions: ['collection.item.add'],
    })
    const { items } = (await take({ id: 'getCollection', as: ada, params: its })).json as {
      items: { id: string }[]
    }
    const first = { ...its, id: items[0]?.id ?? '' }
    await step({ id: 'removeCollectionItem', as: ada, params: first, actions: ['collection.item.remove'] })
    await step({ id: 'deleteCollection', as: ada, params: its, actions: ['collection.delete'] })

    const hook = { watched: [{ ns: 'ada' }], url: 'https://8.8.8.8/hook', events: ['repo'] }
    const webhook = await step({ id: 'createWebhook', as: ada, body: hook, actions: ['webhook.create'] })
    const hooked = { id: String(webhook['id']) }
    const paused = { active: false }
    await step({ id: 'updateWebhook', as: ada, params: hooked, body: paused, actions: ['webhook.update'] })
    await step({ id: 'deleteWebhook', as: ada, params: hooked, actions: ['webhook.delete'] })

    expect(Object.fromEntries(done)).toEqual(Object.fromEntries(expected))
    expect([...done.keys(), ...Object.keys(unaudited)].toSorted()).toEqual([...changing].toSorted())
  })
})
