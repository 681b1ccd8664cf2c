import { writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { add, givenCommit, textOf } from '../../rooms/content/testing.ts'
import { gitSurface, mountGit } from './handlers.ts'
import { gitText, withTempDir } from '../../core/git/testing.ts'
import { listen } from '../server/listen.ts'
import type { Mount } from '../../core/http/surface.ts'
import type { Repo } from '../../rooms/repos/index.ts'
import { appOf, eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { getDiscussion } from '../../rooms/discussions/get.ts'
import { mergePullRequest } from '../../rooms/discussions/merge.ts'
import { pullRequestPushes } from '../../rooms/discussions/push.ts'
import { givenPullRequest } from '../../rooms/discussions/testing.ts'
import { updateDiscussion } from '../../rooms/discussions/update.ts'

eachDatabase('pushes to pull requests', (world) => {
  let server: Server
  let owner: UserActor
  let reader: UserActor
  let other: UserActor
  let repo: Repo
  const secrets = new Map<string, string>()
  beforeAll(async () => {
    const git: Mount = (app) => mountGit(app, { pulls: pullRequestPushes })
    server = await listen(appOf(world, { root: [git] }, [gitSurface]), '127.0.0.1:0')
    owner = await givenUser(world, 'ada')
    reader = await givenUser(world, 'bob')
    other = await givenUser(world, 'cyd')
    for (const user of [owner, reader, other]) secrets.set(user.id, (await givenToken(world, user)).secret)
    repo = await givenRepo(world, owner, { visibility: 'public' })
    await givenCommit(world, owner, repo, [add('a.txt')])
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Commits a file on top of the pull request and pushes it there; answers what git said of a refusal. */
  async function push(actor: UserActor, num: number, file: string): Promise<string | undefined> {
    const { port } = server.address() as AddressInfo
    const url = `http://x:${secrets.get(actor.id)}@127.0.0.1:${port}/${repo.ns}/${repo.name}`
    return withTempDir(async (dir) => {
      await gitText(dir, ['init', '-q', '.'])
      await gitText(dir, ['fetch', '-q', url, `refs/pr/${num}`])
      await gitText(dir, ['checkout', '-q', 'FETCH_HEAD'])
      await writeFile(join(dir, file), file)
      await gitText(dir, ['add', '.'])
      await gitText(dir, ['commit', '-q', '-m', `Push ${file}`])
      return gitText(dir, ['push', '-q', url, `HEAD:refs/pr/${num}`]).then(
        () => undefined,
        (error: Error) => error.message,
      )
    })
  }

  test('its author and writers push, and its thread tells of it', async () => {
    const num = await givenPullRequest(world, reader, repo, { 'b.txt': 'b' })
    expect(await push(reader, num, 'c.txt')).toBeUndefined()
    expect(await push(owner, num, 'd.txt')).toBeUndefined()
    const { discussion, events } = await getDiscussion(world.ctx(reader), repo, num)
    expect(events.slice(2).map(({ type, author, after }) => [type, author, after])).toEqual([
      ['commit', 'bob', 'Push c.txt'],
      ['commit', 'ada', 'Push d.txt'],
    ])
    expect(events.at(-1)?.commit).toBe(discussion.pull?.head)
    await mergePullRequest(world.ctx(owner), repo, num)
    expect(await textOf(world, reader, repo, 'c.txt')).toBe('c.txt')
  })

  test('other users are refused, and so is a push to one that is closed, merged or missing', async () => {
    const num = await givenPullRequest(world, reader, repo, { 'e.txt': 'e' })
    expect(await push(other, num, 'x.txt')).toContain('remote rejected')
    await updateDiscussion(world.ctx(reader), repo, num, { status: 'closed' })
    expect(await push(reader, num, 'x.txt')).toContain(`${num} is closed.`)
    await updateDiscussion(world.ctx(reader), repo, num, { status: 'open' })
    await mergePullRequest(world.ctx(owner), repo, num)
    expect(await push(owner, num, 'x.txt')).toContain(`${num} has been merged.`)
    expect(
      (await getDiscussion(world.ctx(reader), repo, num)).events.filter(({ type }) => type === 'commit'),
    ).toHaveLength(1)
  })
})
