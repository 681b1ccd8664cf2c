import type { UserActor } from '../../core/access/index.ts'
import { add } from '../content/testing.ts'
import type { CommitOperation } from '../content/index.ts'
import type { Repo } from '../repos/index.ts'
import type { World } from '../../testing.ts'
import { commitAnywhere, type WiderCommitInput } from './commit.ts'
import { getDiscussion } from './get.ts'
import { openDiscussion, type NewDiscussion } from './open.ts'

/** A discussion by `actor`; its number. */
export async function givenDiscussion(
  world: World,
  actor: UserActor,
  repo: Repo,
  more: Partial<NewDiscussion> = {},
): Promise<number> {
  const wanted: NewDiscussion = {
    kind: 'discussion',
    title: 'What about it?',
    body: 'I ask.',
    via: 'api',
    ...more,
  }
  return (await openDiscussion(world.ctx(actor), repo, wanted)).num
}

/** A pull request by `actor` that puts these texts; its number. */
export async function givenPullRequest(
  world: World,
  actor: UserActor,
  repo: Repo,
  texts: Record<string, string>,
  more: Partial<WiderCommitInput> = {},
): Promise<number> {
  const operations: CommitOperation[] = Object.entries(texts).map(([path, text]) => add(path, text))
  const input = { title: 'Change it', via: 'api', operations, createPullRequest: true, ...more } as const
  const { opened } = await commitAnywhere(world.ctx(actor), repo, input)
  if (opened === undefined) throw new Error('no pull request was opened')
  return opened
}

/** Adds a commit of these texts to a branch, or to a pull request as `refs/pr/N`. */
export async function givenTexts(
  world: World,
  actor: UserActor,
  repo: Repo,
  branch: string,
  texts: Record<string, string>,
): Promise<string> {
  const operations = Object.entries(texts).map(([path, text]) => add(path, text))
  const made = await commitAnywhere(world.ctx(actor), repo, {
    title: 'More of it',
    via: 'api',
    branch,
    operations,
  })
  return made.commit
}

/** Types of a thread's entries, in order. */
export async function typesOf(world: World, actor: UserActor, repo: Repo, num: number): Promise<string[]> {
  return (await getDiscussion(world.ctx(actor), repo, num)).events.map(({ type }) => type)
}
