/** Words and limits that the API, its clients and the page share. */

export const repoTypes = ['model', 'dataset'] as const
export type RepoType = (typeof repoTypes)[number]
/** Path form of a repo type. */
export const repoTypePaths = ['models', 'datasets'] as const
export type RepoTypePath = (typeof repoTypePaths)[number]

export const visibilities = ['public', 'private'] as const
export type Visibility = (typeof visibilities)[number]
/** How far the files of a repo are known. */
export const indexStatuses = ['pending', 'ready', 'failed'] as const
export type IndexStatus = (typeof indexStatuses)[number]
/** `false` on the wire when a repo is not gated. */
export const gatedModes = ['auto', 'manual'] as const
export type GatedMode = (typeof gatedModes)[number]

/** Ordered from least to most. */
export const roles = ['read', 'write', 'admin'] as const
export type Role = (typeof roles)[number]
/** The same words on a token. */
export const scopes = ['read', 'write', 'admin'] as const
export type Scope = (typeof scopes)[number]
/** What a token is confined to: the repos named, and every repo of the namespaces named. */
export interface Fence {
  repos?: { type: RepoType; ns: string; name: string }[]
  namespaces?: string[]
}

export const jobStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type JobStatus = (typeof jobStatuses)[number]
export const jobUnits = ['bytes', 'files', 'rows', 'items'] as const
export type JobUnit = (typeof jobUnits)[number]

/** What the scan says of a file, or of all files at a commit. `pending`: not looked at yet. */
export const scanStatuses = ['pending', 'safe', 'suspicious', 'unsafe', 'failed'] as const
export type ScanStatus = (typeof scanStatuses)[number]
/** How safe a name is that a pickle imports. */
export const importSafeties = ['innocuous', 'suspicious', 'dangerous'] as const
export type ImportSafety = (typeof importSafeties)[number]

export const uploadStatuses = ['open', 'completing', 'complete', 'aborted'] as const
export type UploadState = (typeof uploadStatuses)[number]

/** `pinned` stays at its commit, `manual` syncs when asked. */
export const mirrorTrackings = ['follow', 'pinned', 'manual'] as const
export type MirrorTracking = (typeof mirrorTrackings)[number]
export const mirrorStates = ['idle', 'queued', 'syncing', 'failed', 'upstream_gone', 'detached'] as const
export type MirrorState = (typeof mirrorStates)[number]
/** `git`: the upstream's own commits; `snapshot`: commits made here of what its API tells. */
export const mirrorFidelities = ['git', 'snapshot'] as const
export type MirrorFidelity = (typeof mirrorFidelities)[number]
export const mirrorHistories = ['shallow', 'full'] as const
export type MirrorHistory = (typeof mirrorHistories)[number]
/** How a repo of an upstream stands here. */
export const discoverStates = ['absent', 'mirrored', 'partial', 'pulling', 'local_namesake'] as const
export type DiscoverState = (typeof discoverStates)[number]
export const discoverSorts = ['trending', 'downloads', 'likes', 'lastModified'] as const
export type DiscoverSort = (typeof discoverSorts)[number]
/** Which large files of an upstream's repo are wanted; small ones always come. Globs are those of hub clients. */
export interface Selection {
  all?: boolean | undefined
  include?: string[] | undefined
  exclude?: string[] | undefined
  quants?: string[] | undefined
  configs?: string[] | undefined
  splits?: string[] | undefined
}
export const pullFileStatuses = ['queued', 'transferring', 'verifying', 'done', 'skipped', 'failed'] as const
export type PullFileStatus = (typeof pullFileStatuses)[number]
/** Whether the bytes of a file are here; `pulling` while they arrive from an upstream. */
export const presences = ['present', 'missing', 'pulling'] as const
export type Presence = (typeof presences)[number]

export const accessRequestStatuses = ['pending', 'accepted', 'rejected'] as const
export type AccessRequestStatus = (typeof accessRequestStatuses)[number]
/** What a card may ask those who want access (`extra_gated_fields`). */
export const accessFieldKinds = ['text', 'checkbox', 'select', 'country', 'date'] as const
export type AccessFieldKind = (typeof accessFieldKinds)[number]

export const discussionKinds = ['discussion', 'pull_request'] as const
export type DiscussionKind = (typeof discussionKinds)[number]
/** A merged pull request is closed. */
export const discussionStatuses = ['open', 'closed'] as const
export type DiscussionStatus = (typeof discussionStatuses)[number]
export const discussionEventTypes = [
  'comment',
  'status_change',
  'title_change',
  'commit',
  'merge',
  'reference',
  'thread_change',
  'review',
  'review_request',
  'label_change',
  'assignee_change',
] as const
export type DiscussionEventType = (typeof discussionEventTypes)[number]
/** Entries that those who take part in a thread hear of. */
export const heardEventTypes: DiscussionEventType[] = ['comment', 'status_change', 'merge', 'review']
/** What a feed says of a discussion or pull request. */
export const feedDeeds = [
  'opened',
  'commented',
  'reviewed',
  'merged',
  'closed',
  'reopened',
  'ready',
  'drafted',
] as const
export type FeedDeed = (typeof feedDeeds)[number]
/** What a review of a pull request comes to. */
export const reviewVerdicts = ['approve', 'request_changes', 'comment'] as const
export type ReviewVerdict = (typeof reviewVerdicts)[number]
/** How a pull request stands with one of its reviewers. */
export const reviewerStates = ['requested', 'approved', 'changes_requested', 'commented'] as const
export type ReviewerState = (typeof reviewerStates)[number]
/**
 * Why somebody is notified of an entry: it mentions them, they wrote in its thread or are assigned to it, the repo is
 * theirs, their review is asked for, it assigns them, or they watch the repo.
 */
export const notificationReasons = [
  'mention',
  'taking_part',
  'repo',
  'review_requested',
  'assigned',
  'watching',
] as const
export type NotificationReason = (typeof notificationReasons)[number]
/** Colours of the labels that sort the discussions of a repo. */
export const labelColors = ['gray', 'red', 'orange', 'yellow', 'green', 'blue', 'purple', 'pink'] as const
export type LabelColor = (typeof labelColors)[number]
/** Which news of a repo a person wants, where they have chosen. */
export const watchLevels = ['all', 'discussions', 'ignore'] as const
export type WatchLevel = (typeof watchLevels)[number]
/** What people put under a comment instead of a comment of their own. */
export const reactions = [
  'thumbs_up',
  'thumbs_down',
  'laugh',
  'hooray',
  'confused',
  'heart',
  'rocket',
  'eyes',
] as const
export type Reaction = (typeof reactions)[number]
/** The side of a diff that a line stands on. */
export const diffSides = ['old', 'new'] as const
export type DiffSide = (typeof diffSides)[number]

/** Images in comments, by the ending of their address. */
export const attachmentTypes = ['png', 'jpg', 'gif', 'webp'] as const
export type AttachmentType = (typeof attachmentTypes)[number]

/** Avatars that people upload, by the ending of their address. */
export const avatarTypes = ['png', 'jpg', 'webp'] as const satisfies readonly AttachmentType[]
export type AvatarType = (typeof avatarTypes)[number]

/** What an announcement of the server is: worth knowing, or worth acting on. */
export const announcementKinds = ['info', 'warning'] as const
export type AnnouncementKind = (typeof announcementKinds)[number]

export const collectionThemes = ['orange', 'blue', 'green', 'purple', 'pink', 'indigo'] as const
export type CollectionTheme = (typeof collectionThemes)[number]

/** `repo` stands for whatever happens to a repo itself and, with a dot, for a part of it; so does `discussion`. */
export const webhookEvents = [
  'repo',
  'repo.content',
  'repo.config',
  'discussion',
  'discussion.comment',
  'job',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]
export const webhookDeliveryStatuses = ['queued', 'delivering', 'succeeded', 'retrying', 'failed'] as const
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number]

export const repoSorts = ['updated', 'name', 'size', 'parameters', 'downloads', 'likes'] as const
export type RepoSort = (typeof repoSorts)[number]

/** The log of a job: of a long one the first lines and the newest stay. */
export const jobLog = { maxLines: 1000, first: 100, maxText: 500 } as const

export const limits = {
  pageDefault: 50,
  pageMax: 500,
  /** Of a page of cards that a search finds, whose texts are read for it. */
  cardPageMax: 100,
  displayNameBytes: 100,
  nameLength: 96,
  partNumberMax: 10_000,
  passwordMin: 12,
  passwordMax: 256,
  commitTitle: 500,
  commitBodyBytes: 64 * 1024,
  commitOperations: 25_000,
  /** Changed files of a commit or pull request that are listed. */
  commitFiles: 3000,
  pathBytes: 1024,
  discussionTitle: 500,
  commentBytes: 64 * 1024,
  /** Lines of a diff that one comment is about. */
  reviewLines: 200,
  /** Comments on lines that one review holds. */
  reviewComments: 100,
  /** People who are asked for a review of one pull request at a time. */
  requestedReviewers: 20,
  /** Labels of a repo. */
  labels: 100,
  labelName: 50,
  labelDescription: 200,
  /** Labels of one discussion. */
  discussionLabels: 20,
  /** People who are assigned to one discussion. */
  assignees: 10,
  attachmentBytes: 10 * 1024 * 1024,
  avatarBytes: 1024 * 1024,
  logoBytes: 256 * 1024,
  instanceNameLength: 40,
  welcomeBytes: 4 * 1024,
  announcementLength: 300,
  pinnedRepos: 6,
  branchRules: 50,
  requiredApprovals: 10,
  branchPattern: 255,
  readmeBytes: 64 * 1024,
  collectionTitle: 100,
  collectionDescription: 150,
  collectionNote: 500,
  collectionItems: 500,
} as const

/** Namespaces and repos: 1..96 of `[A-Za-z0-9_.-]`, first and last a letter, digit or `_` (what the Python client validates). */
export const namePattern = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,94}[A-Za-z0-9_])?$/

/** Why a namespace or repo name is not allowed, or `undefined` when it is well formed. */
export function nameFault(name: string): string | undefined {
  if (!namePattern.test(name))
    return 'use 1 to 96 of A-Z a-z 0-9 _ . - and begin and end with a letter, digit or _'
  if (name.includes('--') || name.includes('..')) return 'must not contain -- or ..'
  if (/\.(git|ipynb)$/i.test(name)) return 'must not end in .git or .ipynb'
  return undefined
}

/** Repo names that would collide with a page or route below a repo's address. */
export const reservedRepoNames = [
  'resolve',
  'tree',
  'blob',
  'raw',
  'refs',
  'commit',
  'commits',
  'discussions',
  'settings',
  'revision',
] as const

/** Namespace names that are the first segment of a route or page; a test compares the list with the route table. */
export const reservedNamespaces = [
  '-',
  'admin',
  'api',
  'assets',
  'auth',
  'avatars',
  'chunk-cas',
  'chunked-uploads-are-disabled',
  'collections',
  'datasets',
  'device',
  'discover',
  'docs',
  'favicon.svg',
  'healthz',
  'jobs',
  'kernels',
  'links',
  'login',
  'logout',
  'metrics',
  'models',
  'new',
  'oauth',
  'orgs',
  'problems',
  'readyz',
  'register',
  'robots.txt',
  'search',
  'settings',
  'spaces',
  'theme.js',
  'uploads',
  'v2',
  'viewer-api',
] as const

/** How far a dataset, a config or a split is on its way to the viewer; the last two are of whole datasets. */
export const datasetStatuses = [
  'pending',
  'converting',
  'ready',
  'partial',
  'failed',
  'unsupported',
  'missing_files',
  'disabled',
] as const
export type DatasetStatus = (typeof datasetStatuses)[number]

/** Sizes of datasets as the public hub names them, each up to the next power of ten of rows. */
export const sizeCategories = [
  'n<1K',
  '1K<n<10K',
  '10K<n<100K',
  '100K<n<1M',
  '1M<n<10M',
  '10M<n<100M',
  '100M<n<1B',
  '1B<n<10B',
  '10B<n<100B',
  '100B<n<1T',
  'n>1T',
] as const
