import { sql } from 'drizzle-orm'
import type { FeedDeed } from '../../../../shared/vocabulary.ts'
import type { Policy, UserActor } from '../../../core/access/index.ts'
import type { Db } from '../../../stores/db/index.ts'
import type { Activity } from '../queries.ts'

/**
 * Something that others did. Commits to the default branch of a repo are one entry for each day, and so is what happened in
 * a discussion or pull request.
 */
export interface FeedEntry extends Omit<Activity, 'repo'> {
  /** Absent of a collection that was created. */
  repo?: Activity['repo']
  collection?: { ns: string; id: string; title: string }
  /** Username of who did it, or did it last; `null` for jobs and accounts that are gone. */
  author: string | null
  /** Commits of the day; none of all else. */
  commits: number
  description: string | null
  /** Of a discussion: what was done last on the day, and the comments of the day besides the one that opened it. */
  thread?: { deed: FeedDeed; comments: number }
}

/** What of when, for whom. */
export interface FeedWanted {
  viewer: UserActor
  policy: Policy
  /** Beginning of a day in UTC. */
  since: Date
  /** Where later entries are left out: the id of the entry before the first one, and a time after all the others. */
  before: { id: string; until: Date } | undefined
  count: number
}

/** Characters of a description that an entry shows. */
const maxDescription = 300

/** How the description of a joined repo begins. */
export const descriptionOf = ({ t: { repos } }: Db) =>
  sql<string | null>`substr(${repos.description}, 1, ${maxDescription})`
