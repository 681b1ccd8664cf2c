type Page<T> = { items: T[]; next_cursor: string }
type P = { type: string; ns: string; name: string }
export type Me = { id: string; username: string; display_name: string; email?: string; email_verified: boolean; pending_email?: string; avatar_url?: string; is_admin: boolean; has_password: boolean; identities: { provider: string; name: string }[]; orgs: { ns: string; display_name: string; role: 'read' | 'write' | 'admin' }[]; auth: { kind: 'session' | 'token'; token_name?: string; scopes: string[]; expires_at?: string }; csrf_token?: string; created_at: string }
export type Session = { id: string; created_at: string; last_seen_at: string; expires_at: string; ip: string; user_agent: string; current: boolean }
export type Scope = 'read' | 'write' | 'admin'
export type Token = { id: string; name: string; scopes: Scope[]; repos?: { type: 'model' | 'dataset'; ns: string; name: string }[]; namespaces?: string[]; prefix: string; created_at: string; last_used_at?: string; expires_at?: string }
export type Repo = { id: string; type: 'model' | 'dataset'; ns: string; name: string; full_name: string; visibility: 'public' | 'private'; gated: false | 'auto' | 'manual'; description?: string; default_branch: string; head_commit?: string; size_bytes: number; lfs_bytes: number; file_count: number; likes: number; liked: boolean; downloads_30d: number; downloads_total: number; created_at: string; updated_at: string; deleted_at?: string; restore_until?: string; discussions_enabled: boolean; tags: string[]; task?: string; library?: string; licence?: string; languages: string[]; formats: string[]; my_role?: 'read' | 'write' | 'admin'; access?: 'none' | 'pending' | 'accepted' | 'rejected'; clone_url: string }
export type Facets = { [k: string]: { value: string; count: number }[] }
export type Ref = { name: string; ref: string; target_commit: string; updated_at: string; message?: string; protected?: boolean }
export type Commit = { sha: string; parents: string[]; title: string; body?: string; author: { name: string; email?: string; username?: string; avatar_url?: string }; committed_at: string; verified?: boolean }
export type ChangeStatus = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied'
export type CommitDetail = Commit & { files: { path: string; old_path?: string; status: ChangeStatus; additions?: number; deletions?: number; binary: boolean; lfs: boolean; old_size?: number; new_size?: number }[]; total_additions: number; total_deletions: number; truncated: boolean }
export type Lfs = { sha256: string; size: number }
export type FileDiff = { path: string; old_path?: string; status: ChangeStatus; binary: boolean; lfs?: { old?: Lfs; new?: Lfs }; too_large: boolean; hunks: { old_start: number; old_lines: number; new_start: number; new_lines: number; lines: { kind: 'context' | 'add' | 'delete'; text: string }[] }[] }
export type TreeEntry = { name: string; path: string; kind: 'directory' | 'file'; size: number; oid: string; lfs?: Lfs & { pointer_size: number }; presence: 'present' | 'missing' | 'pulling'; last_commit?: Commit }
export type TreeListing = { commit: string; path: string; kind: 'directory' | 'file'; entries: TreeEntry[]; next_cursor: string; file?: TreeEntry }
export type Job = { id: string; kind: string; status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'; title: string; repo?: { type: 'model' | 'dataset'; ns: string; name: string }; created_by?: string; created_at: string; started_at?: string; finished_at?: string; attempts: number; max_attempts: number; run_after?: string; progress: { done: number; total?: number; unit: 'bytes' | 'files' | 'rows' | 'items'; rate?: number; eta_seconds?: number }; files?: { path: string; size: number; done: number; status: string; error?: string }[]; result?: { url?: string; size?: number }; problem?: { code: string; title: string; detail?: string }; parent?: string; children?: string[] }
export type UploadPlan = { files: { path: string; mode: 'inline' | 'skip' | 'upload'; upload?: { id: string; part_size: number; parts: { n: number; url: string; headers?: Record<string, string> }[]; expires_at: string; complete_url: string } }[] }
export type UploadStatus = { id: string; path?: string; size: number; sha256: string; status: 'open' | 'completing' | 'complete' | 'aborted'; part_size: number; parts: { n: number; size: number; etag: string }[]; bytes_received: number; expires_at: string }
export type CommitRequest = { branch?: string; parent_commit?: string; title: string; body?: string; create_pull_request?: boolean; operations: ({ op: 'add'; path: string; content?: string; text?: string; lfs?: Lfs } | { op: 'delete'; path: string; recursive?: boolean } | { op: 'copy'; from: string; from_revision?: string; to: string })[] }
export type CommitResponse = { commit: string; ref: string; changed: boolean }
export type Namespace = { ns: string; kind: 'user' | 'org'; display_name: string; bio?: string; avatar_url?: string; website?: string; created_at: string; counts: { models: number; datasets: number; collections: number; members?: number }; my_role?: 'read' | 'write' | 'admin'; storage?: { used_bytes: number; quota_bytes?: number } }
export type Member = { username: string; display_name: string; avatar_url?: string; role: 'read' | 'write' | 'admin'; joined_at: string; source: string }
export type AccessRequest = { id: string; user: string; status: 'pending' | 'accepted' | 'rejected'; message?: string; fields?: Record<string, unknown>; requested_at: string; decided_at?: string; decided_by?: string; reason?: string }
export interface Operations {
  getMe: { args: {}; result: Me | undefined }
  updateMe: { args: { body: { display_name?: string; email?: string } }; result: Me }
  changePassword: { args: { body: { current_password: string; new_password: string } }; result: undefined }
  login: { args: { body: { username: string; password: string } }; result: Me }
  logout: { args: {}; result: undefined }
  getAuthProviders: { args: {}; result: { local: boolean; registration: 'open' | 'invite' | 'closed'; providers: { id: string; name: string; start_url: string }[] } }
  listSessions: { args: { query?: { cursor?: string; limit?: number } }; result: Page<Session> }
  revokeSession: { args: { params: { id: string } }; result: undefined }
  listTokens: { args: { query?: { cursor?: string; limit?: number } }; result: Page<Token> }
  createToken: { args: { body: { name: string; scopes: Scope[]; repos?: { type: 'model' | 'dataset'; ns: string; name: string }[]; namespaces?: string[]; expires_at?: string } }; result: Token & { secret: string } }
  revokeToken: { args: { params: { id: string } }; result: undefined }
  getDeviceRequest: { args: { query: { user_code: string } }; result: { user_code: string; client_name: string; ip: string; created_at: string; expires_at: string; scopes: string[] } }
  decideDevice: { args: { body: { user_code: string; decision: 'approve' | 'deny' } }; result: undefined }
  search: { args: { query: { q: string; types?: string; limit?: number } }; result: { repos: Repo[]; namespaces: Namespace[] } }
  listRepos: { args: { query?: { type?: 'models' | 'datasets'; q?: string; ns?: string; sort?: 'updated' | 'name' | 'size' | 'parameters' | 'downloads' | 'likes'; cursor?: string; limit?: number } }; result: Page<Repo> & { total?: number; total_at_least?: number; facets?: Facets } }
  createRepo: { args: { body: { type: 'model' | 'dataset'; ns: string; name: string; visibility?: 'public' | 'private'; description?: string; licence?: string; gated?: false | 'auto' | 'manual'; init_readme?: boolean } }; result: Repo }
  getRepo: { args: { params: P }; result: Repo }
  updateRepo: { args: { params: P; body: { visibility?: 'public' | 'private'; gated?: false | 'auto' | 'manual'; description?: string; default_branch?: string; discussions_enabled?: boolean } }; result: Repo }
  deleteRepo: { args: { params: P }; result: undefined }
  restoreRepo: { args: { params: P }; result: Repo }
  renameRepo: { args: { params: P; body: { name: string } }; result: Repo }
  transferRepo: { args: { params: P; body: { ns: string } }; result: Repo }
  getRefs: { args: { params: P }; result: { branches: Ref[]; tags: Ref[]; pull_requests: Ref[]; converts: Ref[] } }
  createBranch: { args: { params: P; body: { name: string; from: string } }; result: Ref }
  deleteBranch: { args: { params: P & { branch: string } }; result: undefined }
  createTag: { args: { params: P; body: { name: string; revision: string; message?: string } }; result: Ref }
  deleteTag: { args: { params: P & { tag: string } }; result: undefined }
  listCommits: { args: { params: P; query?: { rev?: string; path?: string; cursor?: string; limit?: number } }; result: Page<Commit> }
  createCommit: { args: { params: P; body: CommitRequest }; result: CommitResponse }
  getCommit: { args: { params: P & { sha: string } }; result: CommitDetail }
  getCommitDiff: { args: { params: P & { sha: string }; query: { path: string } }; result: FileDiff }
  getTree: { args: { params: P & { rev: string }; query?: { recursive?: boolean; cursor?: string; limit?: number } }; result: TreeListing }
  getTreePath: { args: { params: P & { rev: string; path: string }; query?: { recursive?: boolean; cursor?: string; limit?: number } }; result: TreeListing }
  createZip: { args: { params: P; query?: { rev?: string; path?: string } }; result: Job }
  planUploads: { args: { params: P; body: { files: { path: string; size: number; sha256: string; sample?: string }[]; revision?: string } }; result: UploadPlan }
  getUpload: { args: { params: P & { id: string } }; result: UploadStatus }
  putUploadPart: { args: { params: P & { id: string; n: number } }; result: { n: number; size: number; etag: string } }
  completeUpload: { args: { params: P & { id: string }; body: { parts: { n: number; etag: string }[] } }; result: UploadStatus }
  likeRepo: { args: { params: P }; result: { liked: boolean; likes: number } }
  unlikeRepo: { args: { params: P }; result: { liked: boolean; likes: number } }
  getCollaborators: { args: { params: P }; result: { items: { username: string; role: 'read' | 'write' | 'admin' }[] } }
  setCollaborators: { args: { params: P; body: { items: { username: string; role: 'read' | 'write' | 'admin' }[] } }; result: { items: { username: string; role: 'read' | 'write' | 'admin' }[] } }
  listAccessRequests: { args: { params: P; query?: { status?: 'pending' | 'accepted' | 'rejected'; cursor?: string; limit?: number } }; result: Page<AccessRequest> }
  createAccessRequest: { args: { params: P; body: { message?: string } }; result: AccessRequest }
  decideAccessRequest: { args: { params: P & { id: string }; body: { status: 'accepted' | 'rejected'; reason?: string } }; result: AccessRequest }
  listJobs: { args: { query?: { mine?: boolean; kind?: string; status?: Job['status']; cursor?: string; limit?: number } }; result: Page<Job> }
  getJob: { args: { params: { id: string } }; result: Job }
  cancelJob: { args: { params: { id: string } }; result: Job }
  retryJob: { args: { params: { id: string } }; result: Job }
  getNamespace: { args: { params: { ns: string } }; result: Namespace }
  createOrg: { args: { body: { ns: string; display_name?: string; bio?: string; website?: string } }; result: Namespace }
  updateOrg: { args: { params: { ns: string }; body: { display_name?: string; bio?: string; website?: string } }; result: Namespace }
  deleteOrg: { args: { params: { ns: string } }; result: undefined }
  listMembers: { args: { params: { ns: string } }; result: Page<Member> }
  getMember: { args: { params: { ns: string; user: string } }; result: Member }
  setMember: { args: { params: { ns: string; user: string }; body: { role: 'read' | 'write' | 'admin' } }; result: Member }
  removeMember: { args: { params: { ns: string; user: string } }; result: undefined }
}
const R = '/repos/{type}/{ns}/{name}'
export const operations: Record<keyof Operations, [method: string, path: string]> = {
  getMe: ['GET', '/me'], updateMe: ['PATCH', '/me'], changePassword: ['POST', '/me/password'], login: ['POST', '/auth/login'], logout: ['POST', '/auth/logout'], getAuthProviders: ['GET', '/auth/providers'],
  listSessions: ['GET', '/me/sessions'], revokeSession: ['DELETE', '/me/sessions/{id}'], listTokens: ['GET', '/me/tokens'], createToken: ['POST', '/me/tokens'], revokeToken: ['DELETE', '/me/tokens/{id}'],
  getDeviceRequest: ['GET', '/me/device'], decideDevice: ['POST', '/me/device'], search: ['GET', '/search'], listRepos: ['GET', '/repos'], createRepo: ['POST', '/repos'],
  getRepo: ['GET', R], updateRepo: ['PATCH', R], deleteRepo: ['DELETE', R], restoreRepo: ['POST', R + '/restore'], renameRepo: ['POST', R + '/rename'], transferRepo: ['POST', R + '/transfer'],
  getRefs: ['GET', R + '/refs'], createBranch: ['POST', R + '/branches'], deleteBranch: ['DELETE', R + '/branches/{branch}'], createTag: ['POST', R + '/tags'], deleteTag: ['DELETE', R + '/tags/{tag}'],
  listCommits: ['GET', R + '/commits'], createCommit: ['POST', R + '/commits'], getCommit: ['GET', R + '/commits/{sha}'], getCommitDiff: ['GET', R + '/commits/{sha}/diff'],
  getTree: ['GET', R + '/tree/{rev}'], getTreePath: ['GET', R + '/tree/{rev}/{path}'], createZip: ['POST', R + '/zip'], planUploads: ['POST', R + '/uploads'], getUpload: ['GET', R + '/uploads/{id}'],
  putUploadPart: ['PUT', R + '/uploads/{id}/parts/{n}'], completeUpload: ['POST', R + '/uploads/{id}/complete'], likeRepo: ['POST', R + '/like'], unlikeRepo: ['DELETE', R + '/like'],
  getCollaborators: ['GET', R + '/collaborators'], setCollaborators: ['PUT', R + '/collaborators'], listAccessRequests: ['GET', R + '/access-requests'], createAccessRequest: ['POST', R + '/access-requests'], decideAccessRequest: ['PATCH', R + '/access-requests/{id}'],
  listJobs: ['GET', '/jobs'], getJob: ['GET', '/jobs/{id}'], cancelJob: ['POST', '/jobs/{id}/cancel'], retryJob: ['POST', '/jobs/{id}/retry'], getNamespace: ['GET', '/namespaces/{ns}'], createOrg: ['POST', '/orgs'],
  updateOrg: ['PATCH', '/orgs/{ns}'], deleteOrg: ['DELETE', '/orgs/{ns}'], listMembers: ['GET', '/orgs/{ns}/members'], getMember: ['GET', '/orgs/{ns}/members/{user}'], setMember: ['PUT', '/orgs/{ns}/members/{user}'], removeMember: ['DELETE', '/orgs/{ns}/members/{user}'],
}
