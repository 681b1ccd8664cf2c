import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { UserActor } from '../../../core/access/index.ts'
import { makeInvite } from '../../../rooms/auth/index.ts'
import { saveKey } from '../../../rooms/auth/ollama-keys/keys.ts'
import { saveSearch } from '../../../rooms/search/saved/saved-searches.ts'
import { login } from '../../../rooms/auth/login.ts'
import type { Assertion } from '../../../rooms/auth/passkeys/assertion.ts'
import { newChallenge } from '../../../rooms/auth/passkeys/challenge.ts'
import { addPasskey, passkeyOptions, type Registration } from '../../../rooms/auth/passkeys/register.ts'
import { Authenticator } from '../../../rooms/auth/passkeys/testing.ts'
import { hashPassword } from '../../../rooms/auth/passwords.ts'
import { requestDevice } from '../../../rooms/auth/request-device.ts'
import { beginSession } from '../../../rooms/auth/session.ts'
import { add, givenCommit } from '../../../rooms/content/testing.ts'
import { safetensorsFile } from '../../../core/parsers/testing/samples.ts'
import { createBranchRule } from '../../../rooms/content/branch-rules/change-rules.ts'
import { createLabel } from '../../../rooms/discussions/labels/change-labels.ts'
import { createBranch, createTag, createZip, zipExport } from '../../../rooms/content/index.ts'
import { getCollection, type CollectionAddress } from '../../../rooms/collections/index.ts'
import { givenCollection } from '../../../rooms/collections/testing.ts'
import { newId } from '../../../stores/db/index.ts'
import { givenExport, parquetOf } from '../../../rooms/datasets/viewer/testing.ts'
import { comment, getDiscussion } from '../../../rooms/discussions/index.ts'
import { givenDiscussion, givenPullRequest } from '../../../rooms/discussions/testing.ts'
import { enqueue } from '../../../core/jobs/index.ts'
import { runJobs } from '../../../core/jobs/testing.ts'
import { pullTicket, type PullInput } from '../../../rooms/mirrors/pull/ticket.ts'
import { createOrg } from '../../../rooms/namespaces/index.ts'
import { deleteRepo, type Repo } from '../../../rooms/repos/index.ts'
import { createAccessRequest } from '../../../rooms/repos/people/access-requests.ts'
import { givenOrg, givenRepo, givenToken, givenUser, type World } from '../../../testing.ts'
import { fromChunks } from '../../../stores/storage/index.ts'
import { storeObject } from '../../../rooms/uploads/receive/store-object.ts'
import { STREAM } from '../../../rooms/admin/audit/stream/row.ts'
import { testWebhook } from '../../../rooms/webhooks/redeliver.ts'
import { givenWebhook } from '../../../rooms/webhooks/testing.ts'

/** Who sends a request. */
export type Sender = 'owner' | 'reader' | 'stranger' | 'anonymous' | 'admin'

/** Numbers of what `givenTalk` opens. */
export const talk = { discussion: '1', pullRequest: '2' }

/** A comment on a line of the pull request, which suggests another text of it. */
interface Review {
  id: string
  /** The head of the pull request, 40-hex. */
  head: string
}

/** One of everything that an operation can be asked about, all of one owner's. */
export interface Scene {
  /** Distinguishes the names of this scene. */
  tag: string
  owner: UserActor
  stranger: UserActor
  password: string
  headers: Record<Sender, Record<string, string>>
  repo: Repo
  head: string
  /** Gated, with an access request of the stranger's. */
  gated: Repo
  accessRequestId: string
  commentId: string
  review: Review
  /** Of `repo`. */
  branchRuleId: string
  /** Of `repo`. */
  labelId: string
  /** Gated, without an access request. */
  shut: Repo
  deletedName: string
  org: string
  emptyOrg: string
  /** A public one of the organisation's, with one item. */
  collection: CollectionAddress & { itemId: string }
  /** On `repo`, switched off, with a delivery that is over. */
  webhook: { id: string; deliveryId: string }
  sessionId: string
  tokenId: string
  /** Id of the owner's saved key of ollama. */
  ollamaKeyId: string
  /** Id of a search that the owner has saved. */
  savedSearchId: string
  userCode: string
  passkey: ScenePasskey
  /** A user with a pending address and an access token, the owner's identity, and open invites. */
  people: People
  /** A large file the owner has uploaded. */
  object: { sha256: string; sizeBytes: number }
  jobs: Record<'queued' | 'failed' | 'succeeded', string>
  /** Of an upstream that does not answer. */
  mirror: { upstream: string; repo: Repo; pullId: string }
  /** Query of the finished archive's address. */
  exportQuery: Record<string, string>
}

/** A passkey of the owner's, and what it answers. */
interface ScenePasskey {
  id: string
  /** A sign-in that lacks a second factor, and a code that stands in for it. */
  ticket: string
  recoveryCode: string
  /** What the device answers to a sign-in without a password. */
  signed: () => Assertion
  /** What another device makes for the owner. */
  made: () => Registration
}

/** Who and what admins and links are asked about. */
interface People {
  userId: string
  pendingEmail: string
  tokenId: string
  inviteId: string
  /** Secret of the invite. */
  link: string
  /** `oidc.providers[].id` of the owner's identity. */
  provider: string
}

const password = 'quiet-otter-lamp-42'

async function headersOf(
  world: World,
  owner: UserActor & { secret: string },
  stranger: UserActor,
  tag: string,
) {
  const { auth } = owner
  const csrf = world.deps.secrets.csrfFor(auth.kind === 'session' ? auth.sessionId : '')
  const reader = await givenToken(world, owner, { scopes: ['read'] })
  const other = await givenToken(world, stranger)
  const root = await givenUser(world, `root-${tag}`, { isAdmin: true })
  const admin = await givenToken(world, root, { scopes: ['admin'] })
  return {
    owner: { Cookie: `service_session=${owner.secret}`, 'X-CSRF-Token': csrf },
    reader: { Authorization: `Bearer ${reader.secret}` },
    stranger: { Authorization: `Bearer ${other.secret}` },
    anonymous: {},
    admin: { Authorization: `Bearer ${admin.secret}` },
  }
}

async function givenRepos(world: World, owner: UserActor, stranger: UserActor, tag: string) {
  const ctx = world.ctx(owner)
  const repo = await givenRepo(world, owner, { name: `tiny-${tag}`, visibility: 'public' })
  // What is asked of datasets alone finds one by the same name.
  const table = await parquetOf('SELECT 1 AS a')
  await givenExport(world, owner, [{ files: [table] }], { name: `tiny-${tag}`, visibility: 'public' })
  const weights = safetensorsFile({ a: { dtype: 'U8', shape: [1], data_offsets: [0, 1] } }, Buffer.from('a'))
  const files = [add('old.txt'), add('data/train.csv', 'a\n1\n')]
  await givenCommit(world, owner, repo, [...files, { op: 'add', path: 'tiny.safetensors', content: weights }])
  await createBranch(ctx, repo, { name: 'draft', via: 'api' })
  await createTag(ctx, repo, { name: 'v1', revision: 'main', via: 'api' })
  const { commit: head } = await givenCommit(world, owner, repo, [add('new.txt')])
  const said = await givenTalk(world, owner, repo)
  const rule = await createBranchRule(ctx, repo, { pattern: 'release/*' })
  const label = await createLabel(ctx, repo, { name: 'bug', color: 'red' })
  const gated = await givenRepo(world, owner, { name: `gated-${tag}`, visibility: 'public', gated: 'manual' })
  const request = await createAccessRequest(world.ctx(stranger), gated, { message: 'please' })
  const shut = await givenRepo(world, owner, { name: `shut-${tag}`, visibility: 'public', gated: 'manual' })
  const gone = await givenRepo(world, owner, { name: `gone-${tag}` })
  await deleteRepo(ctx, gone)
  const text = `large file of ${tag}`
  const object = { sha256: sha256Of(text), sizeBytes: text.length }
  const keeper = { repoId: repo.id, userId: owner.id }
  await storeObject(ctx, keeper, object, fromChunks(Buffer.from(text)))
  return {
    repo,
    head,
    gated,
    shut,
    accessRequestId: request.id,
    deletedName: gone.name,
    object,
    branchRuleId: rule.id,
    labelId: label.id,
    ...said,
  }
}

/** A discussion and a pull request in a repo that has none yet, with a comment in either. */
export async function givenTalk(
  world: World,
  actor: UserActor,
  repo: Repo,
): Promise<{ commentId: string; review: Review }> {
  const ctx = world.ctx(actor)
  const num = await givenDiscussion(world, actor, repo)
  const pull = await givenPullRequest(world, actor, repo, { 'pulled.txt': 'pulled' })
  const head = (await getDiscussion(ctx, repo, pull)).discussion.pull?.head ?? ''
  const place = { path: 'pulled.txt', side: 'new', line: 1, commit: head } as const
  const { id } = await comment(ctx, repo, pull, '```suggestion\npushed\n```', place)
  const [first] = (await getDiscussion(ctx, repo, num)).events
  return { commentId: first?.id ?? '', review: { id, head } }
}

async function givenJobs(world: World, owner: UserActor, repo: Repo) {
  const ctx = world.ctx(owner)
  const { id: succeeded } = await createZip(ctx, repo, {})
  await runJobs(world.deps, [zipExport])
  const input = { repo_id: repo.id, sha: '0'.repeat(40), path: '', name: 'x' }
  // Other scenes of the world run what is due.
  const options = { repoId: repo.id, runAfter: new Date('2100-01-01') }
  const [queued, failed] = await world.db.write(async (tx) => {
    const first = await enqueue(tx, ctx, zipExport, input, options)
    const second = await enqueue(tx, ctx, zipExport, input, options)
    await tx.q.update(tx.t.jobs).set({ status: 'failed' }).where(eq(tx.t.jobs.id, second.id))
    return [first.id, second.id]
  })
  const job = { id: succeeded, input, result: { key: 'x', size: 0, file_name: 'x' } }
  const { url } = (await zipExport.present?.(ctx, job)) ?? {}
  return {
    jobs: { queued, failed, succeeded },
    exportQuery: Object.fromEntries(new URL(String(url)).searchParams),
  }
}

async function givenShelf(
  world: World,
  owner: UserActor,
  ns: string,
  repo: Repo,
): Promise<Scene['collection']> {
  const address = await givenCollection(world, owner, [repo], { ns })
  const { items } = await getCollection(world.ctx(owner), address)
  return { ...address, itemId: items[0]?.id ?? '' }
}

/** A webhook on a repo, switched off, with a delivery that is over. */
export async function givenTold(world: World, owner: UserActor, repo: Repo): Promise<Scene['webhook']> {
  const more = { url: 'https://8.8.8.8/hook', watched: [{ repo }], active: false }
  const { webhook } = await givenWebhook(world, owner, more)
  const { id } = await testWebhook(world.ctx(owner), webhook.id)
  const { webhook_deliveries: d } = world.db.t
  await world.db.write(({ q }) => q.update(d).set({ status: 'failed' }).where(eq(d.id, id)))
  return { id: webhook.id, deliveryId: id }
}

async function givenPeople(world: World, owner: UserActor, tag: string): Promise<People> {
  const pendingEmail = `pen-${tag}@example.org`
  const user = await givenUser(world, `pen-${tag}`, { pendingEmail })
  const { actor } = await givenToken(world, user)
  const boss = await givenUser(world, `boss-${tag}`, { isAdmin: true })
  const { link, secret } = await makeInvite(world.ctx(boss), { note: tag })
  const now = world.clock.now
  const identity = { id: newId(), user_id: owner.id, provider: 'idp', subject: tag, name: tag }
  await world.db.write(async ({ q, t }) => {
    await q.insert(t.identities).values({ ...identity, created_at: now, last_used_at: now })
  })
  const tokenId = actor.auth.kind === 'token' ? actor.auth.tokenId : ''
  return { userId: user.id, pendingEmail, tokenId, inviteId: link.id, link: secret, provider: 'idp' }
}

async function givenPasskey(world: World, owner: UserActor, sessionId: string): Promise<ScenePasskey> {
  const ctx = world.ctx(owner)
  const { origin } = new URL(ctx.config.server.public_url)
  const device = new Authenticator(origin)
  const options = await passkeyOptions(ctx)
  const { passkey, recoveryCodes = [] } = await addPasskey(ctx, 'Laptop', device.register(options))
  const asked = await login(ctx, { username: owner.username, password })
  const challenge = (purpose: 'sign-in' | 'register', more = {}) =>
    Buffer.from(newChallenge(ctx, { purpose, ...more })).toString('base64url')
  return {
    id: passkey.id,
    ticket: typeof asked === 'string' ? '' : asked.ticket,
    recoveryCode: recoveryCodes[0] ?? '',
    signed: () => device.sign({ challenge: challenge('sign-in') }),
    made: () =>
      new Authenticator(origin).register({
        challenge: challenge('register', { userId: owner.id, sessionId }),
      }),
  }
}

/** What an admin says of an import; one operation takes it back. */
const givenImportRule = ({ db, clock }: World) =>
  db.write(({ q, t }) =>
    q
      .insert(t.scan_rules)
      .values({ module: 'sklearn.svm', name: 'SVC', safety: 'innocuous', set_at: clock.now })
      .onConflictDoNothing(),
  )

/** Where an admin sends the audit log, paused; the address may not be sent to. */
const givenAuditStream = ({ db, clock }: World) =>
  db.write(({ q, t }) =>
    q
      .insert(t.audit_stream)
      .values({
        id: STREAM,
        revision: newId(),
        url: 'https://127.0.0.1:9/audit',
        enabled: false,
        sent_seq: 0,
        lost: 0,
        failures: 0,
        created_at: clock.now,
        updated_at: clock.now,
      })
      .onConflictDoNothing(),
  )

/** A mirror of an upstream that does not answer, with a pull that waits. */
async function givenMirror(world: World, owner: UserActor, tag: string): Promise<Scene['mirror']> {
  const repo = await givenRepo(world, owner, { name: `mirror-${tag}`, visibility: 'public' })
  const upstream = `hub-${tag}`
  const now = world.clock.now
  const name = `acme/${repo.name}`
  const pullId = await world.db.write(async (tx) => {
    const { q, t } = tx
    const address = { base_url: 'http://127.0.0.1:9', viewer_url: null, namespace_prefix: '', token: null }
    const times = { created_at: now, updated_at: now }
    await q.insert(t.upstreams).values({ id: upstream, name: 'Hub', enabled: true, ...address, ...times })
    const of = { upstream, upstream_repo: name, upstream_key: name, revision: 'main', selection: {} }
    const how = { tracking: 'manual', history: 'shallow', fidelity: 'git', state: 'idle' } as const
    await q.insert(t.mirrors).values({ repo_id: repo.id, ...of, ...how, created_at: now })
    const input = { user_id: owner.id } as PullInput
    const options = { repoId: repo.id, runAfter: new Date('2100-01-01') }
    return (await enqueue(tx, world.ctx(owner), { ...pullTicket, title: () => 'Pull' }, input, options)).id
  })
  return { upstream, repo, pullId }
}

/** A new scene in a world that may hold others. */
export async function givenScene(world: World): Promise<Scene> {
  const tag = randomUUID().slice(0, 8)
  const owner = await givenUser(world, `ada-${tag}`, { passwordHash: await hashPassword(password) })
  const stranger = await givenUser(world, `eve-${tag}`)
  const org = await givenOrg(world, `org-${tag}`, owner, [[stranger, 'read']])
  const emptyOrg = await createOrg(world.ctx(owner), { ns: `empty-${tag}` })
  const repos = await givenRepos(world, owner, stranger, tag)
  const { login: device } = await requestDevice({
    ...world.ctx(),
    origin: { ...world.ctx().origin, ip: tag },
  })
  await world.db.write((tx) => beginSession(tx, world.ctx(), owner.id))
  await givenImportRule(world)
  await givenAuditStream(world)
  const { sessions, tokens } = world.db.t
  await givenToken(world, owner)
  const ownSession = owner.auth.kind === 'session' ? owner.auth.sessionId : ''
  const sessionRows = await world.db.q.select().from(sessions).where(eq(sessions.user_id, owner.id))
  const [token] = await world.db.q.select().from(tokens).where(eq(tokens.user_id, owner.id))
  return {
    tag,
    owner,
    stranger,
    password,
    headers: await headersOf(world, owner, stranger, tag),
    ...repos,
    org: org.name,
    emptyOrg: emptyOrg.name,
    collection: await givenShelf(world, owner, org.name, repos.repo),
    webhook: await givenTold(world, owner, repos.repo),
    sessionId: sessionRows.find(({ id }) => id !== ownSession)?.id ?? '',
    tokenId: token?.id ?? '',
    ollamaKeyId: (await saveKey(world.ctx(owner), { name: 'gpu', publicKey: ollamaKeyLine(tag) })).id,
    savedSearchId: (await saveSearch(world.ctx(owner), { list: 'models', name: tag, query: '' })).id,
    userCode: device.user_code,
    passkey: await givenPasskey(world, owner, ownSession),
    people: await givenPeople(world, owner, tag),
    mirror: await givenMirror(world, owner, tag),
    ...(await givenJobs(world, owner, repos.repo)),
  }
}

/** A public key as ssh-keygen writes it: the algorithm and 32 bytes, each behind its length (RFC 8709). */
export function ollamaKeyLine(seed: string): string {
  const raw = createHash('sha256').update(seed).digest()
  const wire = [Buffer.from([0, 0, 0, 11]), Buffer.from('ssh-ed25519'), Buffer.from([0, 0, 0, 32]), raw]
  return `ssh-ed25519 ${Buffer.concat(wire).toString('base64')}`
}

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')
