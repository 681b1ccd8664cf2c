import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eachDatabase } from '../../../testing.ts'
import { exportRepository } from '../export.ts'
import { givenCommit, givenEmptyRepo, gitText } from '../testing.ts'
import { contributorsOf, countContributors } from './contributors.ts'

const bob = { name: 'Bob', email: 'bob@example.org' }
const of = (sha: string) => ({ sha, mayBeOurs: () => true })
const at = (second: number) => new Date(1.7e12 + second * 1000)

eachDatabase('contributors', (world) => {
  /** Three commits on main and two that a merge has brought. */
  async function given() {
    const { git } = world.deps
    const repoId = await givenEmptyRepo(world)
    const commit = (second: number, more: Partial<Parameters<typeof givenCommit>[2]> = {}) =>
      givenCommit(world, repoId, { puts: { [`${second}.txt`]: 'x' }, at: at(second), ...more })
    const base = await commit(1)
    const ref = 'refs/heads/side'
    await commit(2, { ref, base, author: bob })
    const side = await commit(3, { ref, author: { ...bob, name: 'Bob B.' } })
    const main = await commit(4, { author: { name: 'Zoë 😀', email: 'zoe@example.org' } })
    const head = await commit(5, { furtherParents: [side] })
    return { git, repoId, base, main, side, head }
  }

  test('are those of all commits that lead to one, as git counts them', async () => {
    const { git, repoId, head, main } = await given()
    const snapshot = await git.open(repoId)
    const found = await contributorsOf(git, snapshot, of(head))
    expect(found).toEqual({
      people: [
        { name: 'Ada', commits: 2, firstAt: at(1), lastAt: at(5) },
        { name: 'Bob B.', commits: 2, firstAt: at(2), lastAt: at(3) },
        { name: 'Zoë 😀', commits: 1, firstAt: at(4), lastAt: at(4) },
      ],
      total: 3,
      commits: 5,
      isPartial: false,
    })
    const dir = join(world.dir, `${repoId}.git`)
    await exportRepository(git, repoId, dir)
    const said = await gitText(dir, ['shortlog', '-se', head])
    expect(said.split('\n').map((line) => Number(line.trim().split('\t')[0]))).toHaveLength(4)
    expect(await contributorsOf(git, snapshot, of(main))).toMatchObject({ total: 2, commits: 2 })
  })

  test('are counted once for each commit, and remembered', async () => {
    const { git, repoId, head } = await given()
    const snapshot = await git.open(repoId)
    const [one, same] = await Promise.all([1, 2].map(() => contributorsOf(git, snapshot, of(head))))
    expect(same).toBe(one)
    expect(await contributorsOf(git, await git.openFresh(repoId), of(head))).toBe(one)
  })

  test('of a longer history are those of its newest commits', async () => {
    const { git, repoId, head } = await given()
    const snapshot = await git.open(repoId)
    const counted = async (max: number) =>
      (await countContributors(git, snapshot, { ...of(head), max })).value
    expect(await counted(5)).toMatchObject({ commits: 5, isPartial: false })
    const { people, ...rest } = await counted(2)
    expect(rest).toEqual({ total: 2, commits: 2, isPartial: true })
    expect(people.map(({ name }) => name)).toEqual(['Ada', 'Zoë 😀'])
  })

  test('of a mirror whose history ends early are partial', async () => {
    const { git, repoId, head, main, side, base } = await given()
    const snapshot = await git.open(repoId)
    const from = (...shas: string[]) => snapshot.readBy(snapshot.reader, new Set(shas))
    expect(await contributorsOf(git, from(main, side), of(head))).toMatchObject({
      commits: 3,
      isPartial: true,
    })
    expect(await contributorsOf(git, from(head), of(base))).toMatchObject({ commits: 1, isPartial: false })
  })

  test('one that has gone ends what was asked for them alone', async () => {
    const { git, repoId, head } = await given()
    const gone = (await git.open(repoId)).readFor({ signal: AbortSignal.abort(new Error('has gone')) })
    await expect(contributorsOf(git, gone, of(head))).rejects.toThrow('has gone')
    expect(await contributorsOf(git, await git.open(repoId), of(head))).toMatchObject({ commits: 5 })
  })
})
