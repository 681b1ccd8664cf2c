import type { DiscussionKind } from '../../../shared/vocabulary.ts'
import { moverOf } from '../content/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { moveRefs, withFresh, type Snapshot, type Via } from '../../core/git/index.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { Repo, RepoAddress } from '../repos/index.ts'
import { insertOpened } from './insert.ts'
import { nextNumber, pullRef } from './queries.ts'
import { commentOf, requireForum, requireForumToChange, titleOf } from './require.ts'

/** A discussion to be opened, or a pull request that has no commits yet. */
export interface NewDiscussion {
  kind: DiscussionKind
  title: string
  /** The first comment; may be empty. */
  body: string
  via: Via
}

/** What was opened, and where. */
export interface Opened {
  repo: Repo
  num: number
}

/**
 * Opens a discussion; or a pull request onto the default branch, whose ref stands at that branch's head until somebody
 * commits to it, and which is a draft until its status is changed to open. Problems: `discussions-disabled`, `validation-failed`, `state-conflict` where there is no such branch.
 */
export async function openDiscussion(ctx: Ctx, address: RepoAddress, wanted: NewDiscussion): Promise<Opened> {
  const text = { title: titleOf(wanted.title), body: commentOf(wanted.body, { mayBeEmpty: true }) }
  if (wanted.kind === 'pull_request') return openPullRequest(ctx, address, text, wanted.via)
  return ctx.db.write(async (tx) => {
    const repo = await requireForumToChange(tx, ctx, address, 'repo.discuss')
    const num = await nextNumber(tx, repo.id)
    await insertOpened(tx, ctx, { repoId: repo.id, num, ...text })
    return { repo, num }
  })
}

async function openPullRequest(
  ctx: Ctx,
  address: RepoAddress,
  text: { title: string; body: string },
  via: Via,
): Promise<Opened> {
  const { id } = await requireForum(ctx, address, 'repo.open-pull-request')
  return withFresh(ctx.git, id, async (snapshot) => {
    const base = baseOf(snapshot)
    let opened: Opened | undefined
    const name = async (tx: Tx) => {
      const repo = await requireForumToChange(tx, ctx, address, 'repo.open-pull-request')
      // The address belongs to another repo since a moment ago.
      if (repo.id !== id) throw new Problem('temporarily-unavailable', { retryAfterS: 1 })
      opened = { repo, num: await nextNumber(tx, id) }
      return pullRef(opened.num)
    }
    const moves = [{ name, to: base.commit }]
    await moveRefs(
      ctx.git,
      { snapshot, moves, ...moverOf(ctx, via) },
      {
        after: async (tx) => {
          const pull = { baseRef: base.name, openedOn: base.commit, isDraft: true }
          if (opened) await insertOpened(tx, ctx, { repoId: id, num: opened.num, ...text, pull })
        },
      },
    )
    if (!opened) throw new Error('the transaction has named no pull request')
    return opened
  })
}

function baseOf(snapshot: Snapshot): { name: string; commit: string } {
  const base = snapshot.findRef(`refs/heads/${snapshot.defaultBranch}`)
  if (base) return base
  throw new Problem('state-conflict', {
    detail: 'The repo has no commits yet that a pull request could be about.',
  })
}
