import type { RepoType } from '../../../shared/vocabulary.ts'

/** What was done, in the public hub's words. */
export type ChangeAction = 'create' | 'update' | 'delete' | 'move'

/** A repo in the moment of a change. */
export interface RepoSubject {
  id: string
  type: RepoType
  ns: string
  name: string
  ownerId: string
  isPrivate: boolean
}

export interface DiscussionSubject {
  id: string
  num: number
  title: string
  status: 'open' | 'closed' | 'merged' | 'draft'
  authorId: string | null
  /** Of a pull request: the full name of the branch it is for. */
  base?: string
  /** What the base became, 40-hex. */
  mergeCommit?: string
}

export interface CommentSubject {
  id: string
  authorId: string | null
  isHidden: boolean
  /** Markdown; absent where it is hidden. */
  content?: string
}

/** A ref that moved; oids are 40-hex, `null` on the side where there is none. */
export interface RefSubject {
  ref: string
  from: string | null
  to: string | null
}

/** What deliveries name besides the repo. */
export interface ChangeFacts {
  discussion?: DiscussionSubject
  comment?: CommentSubject
  /** The first 250 of them. */
  refs?: RefSubject[]
  movedTo?: { ns: string; name: string; ownerId: string }
  config?: Record<string, unknown>
  job?: { id: string; kind: string; status: string; title: string }
  /** Files of the default branch that turned out unsafe: the first 50. `commit` is 40-hex. */
  scan?: { commit: string; status: 'unsafe'; files: { path: string; status: 'unsafe' }[] }
}

/** A delivery's `subject`: all it reports, as ids and facts of the moment of the change. */
export interface Subject extends ChangeFacts {
  action: ChangeAction
  /** Absent in a test of a webhook that watches no repo by itself. */
  repo?: RepoSubject
  /** Asked for by a person: sent although the webhook may be switched off. */
  isManual?: true
}
