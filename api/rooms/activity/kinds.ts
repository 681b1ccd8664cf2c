import { and, eq, inArray, isNotNull, like, type SQL } from 'drizzle-orm'
import type { Db } from '../../stores/db/index.ts'

export const HEADS = 'refs/heads/'

type Tables = Pick<Db, 't'>

/*
 * Which rows are what a person did, for those who list it and those who count it. Joined are `repos` and, on its owner,
 * `namespaces`; whether the caller may see the repo is asked beside.
 */

/** A row of `repos` that the person created. */
export const isCreatedBy = ({ t: { repos } }: Tables, userId: string): SQL => eq(repos.created_by, userId)

/** A row of `git_ref_log`: the person moved a branch. A branch that was made brings none by itself. */
export const isMovedBy = ({ t: { git_ref_log: log } }: Tables, userId: string): SQL | undefined =>
  and(
    eq(log.user_id, userId),
    // Mirrors and exports are the work of jobs.
    inArray(log.via, ['api', 'web', 'push', 'merge']),
    isNotNull(log.old_oid),
    isNotNull(log.new_oid),
    like(log.name, `${HEADS}%`),
  )

/** A row of `discussions` that the person opened, where a repo still has them. */
export const isOpenedBy = ({ t: { discussions: d, repos } }: Tables, userId: string): SQL | undefined =>
  and(eq(d.author_id, userId), eq(repos.discussions_enabled, true))
