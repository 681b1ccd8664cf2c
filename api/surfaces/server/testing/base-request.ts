import type { App } from '../../../core/http/env.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import type { Operation } from './operations.ts'
import { ollamaKeyLine, sha256Of, talk, type Scene, type Sender } from './scene.ts'

/** A request of one operation, before it is spoiled. */
export interface BaseRequest {
  /** Percent-encoded. */
  path: Record<string, string>
  /** Percent-encoded, in the order sent. */
  query: [string, string][]
  headers: Record<string, string>
  /** Sent as JSON unless it is text. */
  body?: unknown
  sender: Sender
}

const partText = 'part of a large file'

/** An image by its first bytes, which is what the server looks at. */
export const imageText = 'GIF89a of one point'

/** The same of a type that an avatar may have. */
const avatarText = 'RIFF\x10\0\0\0WEBPVP8 of one point'

/** The bodies that the operations accept, by operation. */
const bodies: Record<string, (scene: Scene) => unknown> = {
  updateMe: () => ({ display_name: 'Ada Lovelace', email: 'ada@example.org' }),
  changePassword: ({ password }) => ({ current_password: password, new_password: 'violet-lantern-kelp-77' }),
  login: ({ owner, password }) => ({ username: owner.username, password }),
  createToken: ({ repo, owner }) => ({
    name: 'fresh',
    scopes: ['read'],
    repos: [{ type: 'model', ns: repo.ns, name: repo.name }],
    namespaces: [owner.username],
    expires_at: '2026-03-05T00:00:00Z',
  }),
  createPasskey: ({ passkey }) => ({ name: 'Phone', credential: passkey.made() }),
  updatePasskey: () => ({ name: 'Key' }),
  confirmSession: ({ password }) => ({ current_password: password }),
  signInWithPasskey: ({ passkey }) => ({ passkey: passkey.signed() }),
  finishLogin: ({ passkey }) => ({ ticket: passkey.ticket, recovery_code: passkey.recoveryCode }),
  updatePolicies: () => ({
    token_max_days: 30,
    token_require_expiry: true,
    password_min_score: 4,
    session_idle_minutes: 60,
    admin_second_factor: false,
  }),
  setAuditStream: () => ({ url: 'https://8.8.8.8/audit', token: 'siem', enabled: false, from_start: false }),
  createSavedSearch: ({ tag }) => ({ list: 'models', name: `new ${tag}`, query: 'task=fill-mask' }),
  updateSavedSearch: ({ tag }) => ({ name: `renamed ${tag}` }),
  createOllamaKey: ({ tag }) => ({ name: 'laptop', public_key: ollamaKeyLine(`new ${tag}`) }),
  register: ({ tag }) => ({
    username: `self-${tag}`,
    password: 'violet-lantern-kelp-77',
    email: `self-${tag}@example.org`,
  }),
  connectIdentity: ({ people }) => ({ provider: people.provider }),
  redeemLink: ({ tag }) => ({
    username: `linked-${tag}`,
    password: 'violet-lantern-kelp-77',
    revoke_tokens: true,
  }),
  createDatasetExport: () => ({
    config: 'default',
    split: 'train',
    where: 'a = 1',
    orderby: 'a',
    columns: ['a'],
  }),
  createAdminUser: ({ tag }) => ({
    username: `made-${tag}`,
    display_name: 'Made',
    email: `made-${tag}@example.org`,
    is_admin: false,
  }),
  updateAdminUser: ({ tag }) => ({
    display_name: 'Changed',
    email: `changed-${tag}@example.org`,
    is_admin: true,
    disabled: false,
  }),
  createEmailLink: ({ people }) => ({ email: people.pendingEmail }),
  createInvite: ({ tag, org }) => ({
    username: `invited-${tag}`,
    display_name: 'Invited',
    email: `invited-${tag}@example.org`,
    is_admin: true,
    orgs: [{ ns: org, role: 'read' }],
    note: 'welcome',
  }),
  decideDevice: ({ userCode }) => ({ user_code: userCode, decision: 'deny' }),
  createOrg: ({ tag }) => ({
    ns: `new-${tag}`,
    display_name: 'New',
    bio: 'x',
    website: 'https://example.org',
  }),
  updateOrg: () => ({ display_name: 'Renamed', bio: 'x', website: '' }),
  setMember: () => ({ role: 'write' }),
  createRepo: ({ owner, tag }) => ({
    type: 'dataset',
    ns: owner.username,
    name: `new-${tag}`,
    visibility: 'public',
    description: 'x',
    licence: 'mit',
    gitignore: '*.tmp\n',
    gated: 'auto',
    init_readme: true,
  }),
  updateRepo: () => ({
    visibility: 'private',
    gated: false,
    description: 'x',
    default_branch: 'draft',
    discussions_enabled: false,
  }),
  updateRepoAsAdmin: () => ({ disabled: true, reason: 'x' }),
  renameRepo: ({ tag }) => ({ name: `renamed-${tag}` }),
  transferRepo: ({ org }) => ({ ns: org }),
  watchRepo: () => ({ level: 'all' }),
  setCollaborators: ({ stranger }) => ({ items: [{ username: stranger.username, role: 'write' }] }),
  createAccessRequest: () => ({ message: 'please', fields: { affiliation: 'none' } }),
  decideAccessRequest: () => ({ status: 'accepted', reason: 'welcome' }),
  startGc: () => ({ dry_run: true }),
  retryFailedJobs: () => ({ kind: 'zip.export' }),
  updateQuota: ({ org }) => ({ ns: org, quota_bytes: 1_000_000_000 }),
  createBranch: () => ({ name: 'fresh', from: 'main' }),
  createBranchRule: () => ({ pattern: 'kept/*', allow_deletion: true }),
  updateBranchRule: () => ({ pattern: 'stable/*', require_pull_request: false, include_admins: true }),
  createLabel: () => ({ name: 'Wanted', color: 'green', description: 'x' }),
  updateLabel: () => ({ name: 'Known bug', color: 'orange', description: 'y' }),
  createTag: () => ({ name: 'v2', revision: 'main', message: 'second' }),
  checkCard: () => ({ type: 'model', text: '---\nlicense: mit\n---\n' }),
  createCommit: ({ head, object }) => ({
    branch: 'main',
    parent_commit: head,
    title: 'many changes',
    body: 'at once',
    operations: [
      { op: 'add', path: 'a.txt', text: 'a' },
      { op: 'add', path: 'b.bin', content: 'AAEC' },
      { op: 'add', path: 'w.bin', lfs: { sha256: object.sha256, size: object.sizeBytes } },
      { op: 'delete', path: 'data', recursive: true },
      { op: 'copy', from: 'old.txt', from_revision: 'main', to: 'copy.txt' },
    ],
  }),
  createDiscussion: () => ({ kind: 'pull_request', title: 'Why?', body: 'Because.' }),
  updateDiscussion: ({ labelId, stranger }) => ({
    title: 'Why not?',
    status: 'closed',
    labels: [labelId],
    assignees: [stranger.username],
  }),
  createCollection: ({ owner, tag }) => ({
    ns: owner.username,
    title: `New ${tag}`,
    description: 'x',
    theme: 'blue',
    visibility: 'public',
  }),
  updateCollection: () => ({
    title: 'Renamed',
    description: 'x',
    theme: 'pink',
    visibility: 'private',
    position: 0,
  }),
  addCollectionItem: ({ gated }) => ({ item: { type: 'model', ns: gated.ns, name: gated.name }, note: 'x' }),
  updateCollectionItem: () => ({ note: 'x', position: 0 }),
  createComment: () => ({ body: 'I see.' }),
  commitSuggestion: ({ review }) => ({ head: review.head, number: 1, title: 'As you say', body: 'Thanks.' }),
  createReview: ({ review }) => ({
    verdict: 'comment',
    head: review.head,
    body: 'I have read it.',
    comments: [{ place: { path: 'pulled.txt', side: 'new', line: 1 }, body: 'Why?' }],
  }),
  editComment: () => ({ body: 'I see now.' }),
  markNotificationsRead: ({ commentId }) => ({ ids: [commentId] }),
  snoozeNotifications: ({ commentId }) => ({ ids: [commentId], until: null }),
  createAttachment: () => imageText,
  setAvatar: () => avatarText,
  setLogo: () => avatarText,
  updateLook: () => ({
    name: 'Hub of Acme',
    welcome: '# Hello',
    announcement: { text: 'Down on Sunday', kind: 'warning', ends_at: '2026-03-05T00:00:00Z' },
  }),
  setNamespaceReadme: () => ({ text: '# Acme', seen: '' }),
  setPinnedRepos: () => ({ repos: [] }),
  mergePullRequest: () => ({ method: 'merge', title: 'Bring it in', comment: 'Thanks.' }),
  createWebhook: ({ repo, owner }) => ({
    url: 'https://8.8.8.8/new',
    watched: [{ ns: owner.username }, { repo: { type: 'model', ns: repo.ns, name: repo.name } }],
    events: ['repo', 'discussion.comment'],
    active: false,
    secret: 'open sesame',
    secret_header: true,
  }),
  updateWebhook: () => ({ url: 'https://8.8.8.8/changed', events: ['job'], active: true, secret: '' }),
  createUpstream: ({ tag }) => ({
    id: `new-${tag}`,
    name: 'New',
    base_url: 'https://hub.example',
    enabled: true,
    viewer_url: 'https://viewer.hub.example',
    namespace_prefix: 'hub-',
    token: 'hf_upstream',
  }),
  setImportRule: () => ({ safety: 'dangerous', note: 'Not here' }),
  updateUpstream: () => ({ name: 'Changed', enabled: false, viewer_url: null, token: null }),
  saveUpstreamToken: () => ({ token: 'hf_upstream' }),
  createPull: ({ mirror, owner }) => ({
    upstream: mirror.upstream,
    type: 'model',
    repo: 'acme/tiny',
    revision: 'main',
    selection: { include: ['*.bin'] },
    target_ns: owner.username,
    visibility: 'private',
    tracking: 'manual',
    history: 'full',
    with_dependencies: { code: true, base_models: false },
  }),
  updateMirror: () => ({ selection: { all: true }, tracking: 'follow', schedule: '30 2 * * *' }),
  pullIntoMirror: () => ({ quants: ['Q4_K_M'] }),
  planUploads: () => ({
    files: [{ path: 'weights.bin', size: 20_000_000, sha256: sha256Of('weights'), sample: 'AAEC' }],
    revision: 'main',
  }),
}

const queries: Record<string, (scene: Scene) => Record<string, string>> = {
  getDeviceRequest: ({ userCode }) => ({ user_code: userCode }),
  getPolicyEffect: () => ({
    token_max_days: '30',
    token_require_expiry: 'true',
    session_idle_minutes: '60',
  }),
  getCommitDiff: () => ({ path: 'new.txt' }),
  compareRevisions: () => ({ base: 'v1', head: 'main' }),
  getDivergence: () => ({ base: 'v1', head: 'main' }),
  getComparisonDiff: () => ({ base: 'v1', head: 'main', path: 'new.txt' }),
  getDiscussionDiff: () => ({ path: 'pulled.txt' }),
  getTensorComparison: () => ({ old: 'v1', new: 'main', path: 'tiny.safetensors' }),
  getDataChanges: () => ({ base: 'main', head: 'main' }),
  compareData: () => ({ base: 'main', head: 'main' }),
  compareTensors: () => ({ old: 'v1', new: 'main', path: 'tiny.safetensors' }),
  search: ({ tag }) => ({ q: `tiny-${tag}` }),
  discover: ({ mirror }) => ({ upstream: mirror.upstream }),
  discoverRepo: ({ mirror }) => ({ upstream: mirror.upstream }),
  downloadExport: ({ exportQuery }) => exportQuery,
}

const jobOf: Record<string, keyof Scene['jobs']> = { cancelJob: 'queued', retryJob: 'failed' }

/** What is done with a comment on a line of a pull request. */
export const isOnLine = /^(resolveThread|reopenThread|commitSuggestion)$/

function idOf(operation: Operation, scene: Scene): string {
  if (operation.path.startsWith('/me/sessions')) return scene.sessionId
  if (operation.path.startsWith('/me/tokens')) return scene.tokenId
  if (operation.path.startsWith('/me/passkeys')) return scene.passkey.id
  if (operation.path.startsWith('/me/ollama-keys')) return scene.ollamaKeyId
  if (operation.path.startsWith('/me/searches')) return scene.savedSearchId
  if (operation.path.startsWith('/admin/repos')) return scene.repo.id
  if (operation.path.startsWith('/admin/users')) return scene.people.userId
  if (operation.path.startsWith('/admin/invites')) return scene.people.inviteId
  if (operation.path.includes('/access-requests/')) return scene.accessRequestId
  if (operation.path.startsWith('/collections/')) return scene.collection.itemId
  if (operation.path.includes('/branch-rules/')) return scene.branchRuleId
  if (operation.path.includes('/labels/')) return scene.labelId
  if (isOnLine.test(operation.id)) return scene.review.id
  if (operation.path.includes('/comments/')) return scene.commentId
  if (operation.path.startsWith('/webhooks/')) return scene.webhook.id
  if (operation.path.startsWith('/admin/upstreams')) return scene.mirror.upstream
  if (operation.path.startsWith('/pulls')) return scene.mirror.pullId
  return scene.jobs[jobOf[operation.id] ?? 'succeeded']
}

function repoOf(operation: Operation, { repo, gated, shut, mirror }: Scene): { ns: string; name: string } {
  if (operation.id === 'createAccessRequest') return shut
  if (operation.path.includes('/mirror')) return mirror.repo
  return operation.path.includes('/access-requests') ? gated : repo
}

function addressOf(operation: Operation, scene: Scene): Record<string, string> {
  const { ns, name } = repoOf(operation, scene)
  if (operation.path.startsWith('/admin/scan/')) return { module: 'sklearn.svm', name: 'SVC' }
  if (operation.path.startsWith('/admin/schedules/')) return { kind: 'fsck' }
  if (operation.path.startsWith('/discover/')) return { type: 'models', ns: 'acme', name: 'tiny' }
  if (!operation.path.startsWith('/repos/'))
    return { ns: operation.id === 'deleteOrg' ? scene.emptyOrg : scene.org }
  return { type: 'models', ns, name: operation.id === 'restoreRepo' ? scene.deletedName : name }
}

/** A file of the kind that an operation reads, or the folder. */
function pathOf({ id, path }: Operation): string {
  if (id === 'getFileRows' || id === 'getBlame') return encodeURIComponent('data/train.csv')
  return path.includes('/files/') ? 'tiny.safetensors' : 'data'
}

function senderOf({ id, path }: Operation): Sender {
  if (path.startsWith('/admin/')) return 'admin'
  return id === 'createAccessRequest' ? 'stranger' : 'owner'
}

/** An upload of one part, and how far it has come before the operation. */
async function givenUpload(app: App, scene: Scene, operation: Operation) {
  const { ns, name } = scene.repo
  const uploads = `${nativeBase}/repos/models/${ns}/${name}/uploads`
  const call = (method: string, url: string, body: string, type: string) =>
    app.request(url, { method, body, headers: { ...scene.headers.owner, 'Content-Type': type } })
  const files = [{ path: 'large.bin', size: partText.length, sha256: sha256Of(partText) }]
  const plan = await call('POST', uploads, JSON.stringify({ files }), 'application/json')
  const [planned] = ((await plan.json()) as { files: { upload?: { id: string } }[] }).files
  const id = planned?.upload?.id ?? ''
  if (operation.id !== 'completeUpload') return { id, parts: [] }
  const put = await call('PUT', `${uploads}/${id}/parts/1`, partText, 'application/octet-stream')
  return { id, parts: [{ n: 1, etag: ((await put.json()) as { etag: string }).etag }] }
}

/** A request that the operation answers with success, sent by a caller who may. */
export async function baseRequest(app: App, operation: Operation, scene: Scene): Promise<BaseRequest> {
  const body = bodies[operation.id]?.(scene)
  const request: BaseRequest = {
    path: {
      ...addressOf(operation, scene),
      id: idOf(operation, scene),
      user: scene.stranger.username,
      slug: scene.collection.slug,
      delivery_id: scene.webhook.deliveryId,
      token_id: scene.people.tokenId,
      secret: scene.people.link,
      upstream: scene.mirror.upstream,
      provider: scene.people.provider,
      branch: 'draft',
      tag: 'v1',
      sha: scene.head,
      rev: 'main',
      path: pathOf(operation),
      n: '1',
      reaction: 'heart',
      num:
        isOnLine.test(operation.id) || /PullRequest|Diff|Review/.test(operation.id)
          ? talk.pullRequest
          : talk.discussion,
    },
    query: Object.entries(queries[operation.id]?.(scene) ?? {}),
    headers: operation.body ? { 'Content-Type': operation.body.contentType.replace('/*', '/gif') } : {},
    ...(body === undefined ? {} : { body }),
    sender: senderOf(operation),
  }
  if (!operation.path.includes('/uploads/{id}')) return request
  const { id, parts } = await givenUpload(app, scene, operation)
  const isPart = operation.id === 'putUploadPart'
  return {
    ...request,
    path: { ...request.path, id },
    ...(isPart ? { body: partText } : operation.body ? { body: { parts } } : {}),
  }
}

/** Sends a request to the app. */
export function send(app: App, operation: Operation, scene: Scene, request: BaseRequest) {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => request.path[name] ?? '')
  const query = request.query.map(([name, value]) => `${name}=${value}`).join('&')
  const { body, headers, sender } = request
  return app.request(`${nativeBase}${path}${query === '' ? '' : `?${query}`}`, {
    method: operation.method,
    headers: { ...scene.headers[sender], ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}
