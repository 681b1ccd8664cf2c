import { beforeAll, expect, test } from 'vitest'
import type { Actor, UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { add, givenCommit } from '../../content/testing.ts'
import { updateRepo, type Repo } from '../../repos/index.ts'
import { comment } from '../comment.ts'
import { hideComment } from '../edit-comment.ts'
import { getDiscussion } from '../get.ts'
import { givenPullRequest, givenTexts, typesOf } from '../testing.ts'
import { updateDiscussion } from '../update.ts'
import { commitSuggestion, type SuggestionCommit } from './commit-suggestion.ts'
import type { WantedPlace } from './place.ts'

eachDatabase('suggestions', (world) => {
  let ada: UserActor
  let bob: UserActor
  let eve: UserActor
  let repo: Repo
  beforeAll(async () => {
    ada = await givenUser(world, 'ada')
    bob = await givenUser(world, 'bob')
    eve = await givenUser(world, 'eve')
    repo = await givenRepo(world, ada, { visibility: 'public' })
    await givenCommit(world, ada, repo, [add('a.txt', 'one\r\ntwo\r\nthree'), add('b.txt', 'b\n')])
  })

  async function headOf(num: number): Promise<string> {
    return (await getDiscussion(world.ctx(ada), repo, num)).discussion.pull?.head ?? ''
  }

  /** A pull request of bob's, and a comment of eve's on it. */
  async function suggested(body: string, place: Partial<WantedPlace> = {}) {
    const num = await givenPullRequest(world, bob, repo, { 'a.txt': 'one\r\n2\r\nthree' })
    const head = await headOf(num)
    const on: WantedPlace = { path: 'a.txt', side: 'new', line: 2, commit: head, ...place }
    const { id } = await comment(world.ctx(eve), repo, num, body, on)
    const press = (by: Actor, wanted: Partial<SuggestionCommit> = {}) =>
      commitSuggestion(
        world.ctx(by),
        repo,
        { num, id },
        { head, number: 1, title: undefined, body: undefined, via: 'api', ...wanted },
      )
    const commitAt = async () => {
      const snapshot = await world.ctx(ada).git.open(repo.id)
      const sha = await headOf(num)
      const entry = await snapshot.entryAt(sha, 'a.txt')
      const content = (await snapshot.readBlob(entry?.oid ?? '', 1000))?.toString()
      return { ...(await snapshot.findCommit(sha)), content }
    }
    return { num, id, head, press, commitAt }
  }
  const block = (...lines: string[]) => ['Better:', '```suggestion', ...lines, '```'].join('\n')

  test('the author of the pull request commits it: line ends stay, its author is named, the thread is resolved', async () => {
    const { num, id, head, press, commitAt } = await suggested(block('II', 'and more'))
    const { commit } = await press(bob, { body: 'Thanks.' })
    expect(await headOf(num)).toBe(commit)
    expect(await commitAt()).toMatchObject({
      subject: 'Apply a suggestion to a.txt',
      body: expect.stringMatching(/^Thanks\.\n\nCo-authored-by: eve <eve@users\.noreply\..+>$/),
      author: { name: 'bob' },
      parents: [head],
      content: 'one\r\nII\r\nand more\r\nthree',
    })
    const { events } = await getDiscussion(world.ctx(ada), repo, num)
    expect(events.find((event) => event.id === id)?.resolvedAt).not.toBeNull()
    expect((await typesOf(world, ada, repo, num)).slice(-2)).toEqual(['commit', 'thread_change'])
  })

  test('several lines are replaced, by a writer, under a title of theirs', async () => {
    const { press, commitAt } = await suggested(block('all'), { startLine: 1, line: 3 })
    await press(ada, { title: 'Shorten' })
    expect(await commitAt()).toMatchObject({ subject: 'Shorten', author: { name: 'ada' }, content: 'all' })
  })

  test('the second of two is taken when it is asked for, and none is named who commits their own', async () => {
    const { press, commitAt } = await suggested(`${block('x')}\n${block('y')}`)
    await expect(press(bob, { number: 3 })).rejects.toMatchObject({ code: 'state-conflict' })
    await press(bob, { number: 2 })
    expect((await commitAt()).content).toBe('one\r\ny\r\nthree')
    const own = await givenPullRequest(world, bob, repo, { 'b.txt': 'B\n' })
    const head = await headOf(own)
    const said = await comment(world.ctx(bob), repo, own, block('BB'), {
      path: 'b.txt',
      side: 'new',
      line: 1,
      commit: head,
    })
    const wanted = { head, number: 1, title: undefined, body: undefined, via: 'api' } as const
    const { commit } = await commitSuggestion(world.ctx(bob), repo, { num: own, id: said.id }, wanted)
    expect((await (await world.ctx(bob).git.open(repo.id)).findCommit(commit))?.body).toBe('')
  })

  test('who may not commit to the pull request does not, their own suggestion neither', async () => {
    const { num, press, head } = await suggested(block('II'))
    await expect(press(eve)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(press({ kind: 'anonymous' })).rejects.toMatchObject({ code: 'unauthenticated' })
    await updateRepo(world.ctx(ada), repo, { gated: 'manual' })
    await expect(press(bob)).rejects.toMatchObject({ code: 'gated' })
    await updateRepo(world.ctx(ada), repo, { gated: null })
    expect(await headOf(num)).toBe(head)
  })

  test('another head, another file, and a pull request that is not open are conflicts', async () => {
    const { num, press } = await suggested(block('II'))
    await givenTexts(world, bob, repo, `refs/pr/${num}`, { 'b.txt': 'B\n' })
    const head = await headOf(num)
    await expect(press(bob)).rejects.toMatchObject({
      code: 'commit-conflict',
      members: { current_commit: head },
    })
    await updateDiscussion(world.ctx(bob), repo, num, { status: 'closed' })
    await expect(press(bob, { head })).rejects.toMatchObject({ code: 'state-conflict' })
    await updateDiscussion(world.ctx(bob), repo, num, { status: 'open' })
    await givenTexts(world, bob, repo, `refs/pr/${num}`, { 'a.txt': 'one\r\n22\r\nthree' })
    await expect(press(bob, { head: await headOf(num) })).rejects.toMatchObject({ code: 'state-conflict' })
  })

  test('once is enough: of two at the same time one commits', async () => {
    const { num, press } = await suggested(block('II'))
    const results = await Promise.allSettled([press(bob), press(ada)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const types = await typesOf(world, ada, repo, num)
    expect(types.filter((type) => type === 'thread_change')).toHaveLength(1)
  })

  test('a hidden comment, one on the former file, one without a suggestion and one that changes nothing are refused', async () => {
    const refused = expect.objectContaining({ code: 'state-conflict' })
    const hidden = await suggested(block('II'))
    await hideComment(world.ctx(ada), repo, { num: hidden.num, id: hidden.id })
    await expect(hidden.press(bob)).rejects.toEqual(refused)
    for (const { press } of [
      await suggested(block('II'), { side: 'old' }),
      await suggested('Better: II'),
      await suggested(block('2')),
    ])
      await expect(press(bob)).rejects.toEqual(refused)
  })
})
