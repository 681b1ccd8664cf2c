import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenUser } from '../../../testing.ts'
import { givenObject } from '../../uploads/testing.ts'
import { createBranch } from '../refs/branches.ts'
import { commit } from './commit.ts'
import { listCommits } from '../read/commits.ts'
import type { CommitOperation } from './operations.ts'
import { add, givenCommit, pathsOf, textOf } from '../testing.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

eachDatabase('many at once', (world) => {
  let made = 0
  const committers = 20
  const branch = { branch: 'moving' }

  async function givenTeam() {
    const admin = await givenUser(world, `admin${++made}`)
    const team: UserActor[] = []
    for (let i = 0; i < committers; i++) team.push(await givenUser(world, `member${made}n${i}`))
    const org = await givenOrg(
      world,
      `team${made}`,
      admin,
      team.map((member) => [member, 'write']),
    )
    return { admin, team, repo: await givenRepo(world, admin, { ns: org.name }) }
  }

  test('20 committers on one branch: every commit is in the one line of history', async () => {
    const { admin, team, repo } = await givenTeam()
    const outcomes = await Promise.all(
      team.map((member, i) => givenCommit(world, member, repo, [add(`file-${i}`), add('shared', String(i))])),
    )
    const { commits, total } = await listCommits(world.ctx(admin), repo, { limit: 100 })
    expect(total).toBe(committers + 1)
    const shas = commits.map(({ sha }) => sha)
    expect(new Set(shas)).toEqual(new Set([...outcomes.map(({ commit }) => commit), shas.at(-1)]))
    commits.slice(0, -1).forEach(({ parents }, i) => expect(parents).toEqual([shas[i + 1]]))
    expect(await pathsOf(world, admin, repo)).toHaveLength(committers + 2)
  })

  test('20 large files that each need a rule: no rule is lost', async () => {
    const { admin, team, repo } = await givenTeam()
    const before = await textOf(world, admin, repo, '.gitattributes')
    await Promise.all(
      team.map(async (member, i) => {
        const { sha256, sizeBytes } = await givenObject(world, member, repo)
        const large: CommitOperation = { op: 'add-lfs', path: `odd-${i}`, sha256, sizeBytes }
        return givenCommit(world, member, repo, [large])
      }),
    )
    const rules = (await textOf(world, admin, repo, '.gitattributes')).slice(before.length).trim().split('\n')
    expect(new Set(rules)).toEqual(
      new Set(team.map((_, i) => `/odd-${i} filter=lfs diff=lfs merge=lfs -text`)),
    )
  })

  test('20 who point one branch elsewhere, while others commit to it: each has moved it, one after the other', async () => {
    const { team, repo } = await givenTeam()
    const [first, ...others] = team
    if (!first) return expect.fail('no team')
    const starts: string[] = []
    for (const i of team.keys())
      starts.push((await givenCommit(world, first, repo, [add(`file-${i}`)])).commit)
    const move = (member: UserActor, from: string) =>
      createBranch(world.ctx(member), repo, { name: 'moving', from, overwrite: true, via: 'api' })
    await move(first, starts[0] ?? '')
    await Promise.all([
      ...others.map((member, i) => move(member, starts[i + 1] ?? '')),
      ...others.slice(0, 5).map((member) => givenCommit(world, member, repo, [add('on top')], branch)),
    ])
    const { git_ref_log: log } = world.db.t
    const moves = await world.db.q
      .select({ from: log.old_oid, to: log.new_oid })
      .from(log)
      .where(and(eq(log.repo_id, repo.id), eq(log.name, 'refs/heads/moving')))
    const led = new Map(moves.map(({ from, to }) => [from?.toString('hex'), to?.toString('hex')]))
    expect(led.size).toBe(moves.length)
    expect(moves.map(({ to }) => to?.toString('hex'))).toEqual(expect.arrayContaining(starts))
    let at: string | undefined
    for (let i = 0; i < moves.length; i++) at = led.get(at)
    expect((await world.deps.git.openFresh(repo.id)).findRef('refs/heads/moving')?.oid).toBe(at)
  })

  test('of 20 who have seen the same head one wins, and the others learn of it', async () => {
    const { team, repo } = await givenTeam()
    const parentCommit = repo.headCommit ?? ''
    const outcomes = await Promise.allSettled(
      team.map((member, i) => givenCommit(world, member, repo, [add(`file-${i}`)], { parentCommit })),
    )
    const winners = outcomes.filter((outcome) => outcome.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({
          code: 'commit-conflict',
          members: { current_commit: winners[0]?.value.commit },
        })
  })

  test('far above git.compact_threshold a commit waits for the compaction', async () => {
    const owner = await givenUser(world, `busy${++made}`)
    const repo = await givenRepo(world, owner)
    const ctx = world.ctx(owner)
    const config = { ...ctx.config, git: { ...ctx.config.git, compact_threshold: 2 } }
    for (let i = 0; i < 12; i++)
      await commit({ ...ctx, config }, repo, { title: `c${i}`, via: 'api', operations: [add(`f${i}`)] })
    expect((await world.deps.git.openFresh(repo.id)).packs.length).toBeLessThanOrEqual(9)
    expect(await pathsOf(world, owner, repo)).toHaveLength(13)
    expect(await textOf(world, owner, repo, 'f0')).toBe('f0\n')
    const { jobs } = world.db.t
    const queued = await world.db.q.$count(jobs, and(eq(jobs.kind, 'git.compact'), eq(jobs.repo_id, repo.id)))
    expect(queued).toBe(1)
  })

  test('50 MiB of files stream through one commit and hold a fraction of that in memory', async () => {
    const owner = await givenUser(world, `streamer${++made}`)
    const repo = await givenRepo(world, owner)
    const mebibytes = 50
    let highest = 0
    async function* files(): AsyncGenerator<CommitOperation> {
      for (let i = 0; i < mebibytes; i++) {
        yield { op: 'add', path: `blob-${i}`, content: randomBytes(2 ** 20) }
        collectGarbage()
        highest = Math.max(highest, process.memoryUsage().arrayBuffers - before)
      }
    }
    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    await givenCommit(world, owner, repo, files())
    expect(await pathsOf(world, owner, repo)).toHaveLength(mebibytes + 1)
    expect(highest).toBeLessThan(16 * 2 ** 20)
  })
})
