import type { Operations } from '../../shared/client.ts'

type Result<K extends keyof Operations> = Operations[K]['result']

export type RepoAddress = Operations['getRepo']['args']['params']
export type Repo = Result<'getRepo'>
export type LikeStatus = Result<'likeRepo'>
export type Me = NonNullable<Result<'getMe'>>
export type Commit = Result<'listCommits'>['items'][number]
export type CommitDetail = Result<'getCommit'>
export type ChangedFile = CommitDetail['files'][number]
export type FileDiff = Result<'getCommitDiff'>
export type HeaderDiff = NonNullable<FileDiff['header_diff']>
export type TreeListing = Result<'getTree'>
export type TreeEntry = TreeListing['entries'][number]
export type Discussion = Result<'getDiscussion'>
export type DiscussionEvent = NonNullable<Discussion['events']>[number]
export type Refs = Result<'getRefs'>
export type Collection = Result<'getCollection'>
export type Job = Result<'getJob'>
export type Namespace = Result<'getNamespace'>
export type Activity = Result<'listUserActivity'>['items'][number]
export type ActivityDays = Result<'getUserActivityDays'>
export type Member = Result<'listMembers'>['items'][number]
export type AccessRequest = Result<'listAccessRequests'>['items'][number]
export type Token = Result<'listTokens'>['items'][number]
export type OllamaKey = Result<'listOllamaKeys'>['items'][number]
export type Passkey = Result<'listPasskeys'>['items'][number]
export type Quant = Result<'listQuants'>['groups'][number]
export type Session = Result<'listSessions'>['items'][number]
export type UploadPlanFile = Result<'planUploads'>['files'][number]
export type CommitOperation = Operations['createCommit']['args']['body']['operations'][number]
