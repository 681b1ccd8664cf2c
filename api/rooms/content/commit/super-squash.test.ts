import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { before, eachDatabase, givenOrg, givenRepo, givenUser, hold } from '../../../testing.ts'
import { createBranch } from '../refs/branches.ts'
import { commit } from './commit.ts'
import { listCommits } from '../read/commits.ts'
import { superSquash } from './super-squash.ts'
import { add, givenCommit, pathsOf, textOf } from '../testing.ts'
import { listTree } from '../read/tree.ts'

eachDatabase('a branch that is squashed', (world) => {
  let made = 0
  async function given() {
    const owner = await givenUser(world, `owner${++made}`)
    const writer = await givenUser(world, `writer${made}`)
    const org = await givenOrg(world, `org${made}`, owner, [[writer, 'write']])
    const repo = await givenRepo(world, owner, { ns: org.name })
    await givenCommit(world, owner, repo, [add('a'), add('dir/b')])
    await givenCommit(world, owner, repo, [add('a', 'again')])
    return { owner, writer, repo, ctx: world.ctx(owner) }
  }

  test('is one commit without parents, of the same files', async () => {
    const { owner, repo, ctx } = await given()
    const before = await pathsOf(world, owner, repo)
    const sha = await superSquash(ctx, repo, 'main', 'All in one\n\nNothing is kept.')
    const { commits, total } = await listCommits(ctx, repo, { limit: 10 })
    expect(total).toBe(1)
    expect(commits[0]).toMatchObject({
      sha,
      parents: [],
      subject: 'All in one',
      body: 'Nothing is kept.',
      userId: owner.id,
    })
    expect(await pathsOf(world, owner, repo)).toEqual(before)
    expect(await textOf(world, owner, repo, 'a')).toBe('again')
    const listed = { path: 'dir', isRecursive: false, withLastCommits: true, limit: 10 }
    expect((await listTree(ctx, repo, listed)).entries[0]).toMatchObject({ lastCommit: { sha } })
    await givenCommit(world, owner, repo, [add('c')])
    expect((await listCommits(ctx, repo, { limit: 10 })).total).toBe(2)
  })

  test('is so in the audit log, and other branches keep their history', async () => {
    const { repo, ctx } = await given()
    await createBranch(ctx, repo, { name: 'side', via: 'api' })
    await superSquash(ctx, repo, 'side')
    const { audit } = world.db.t
    const rows = await world.db.q
      .select({ after: audit.after })
      .from(audit)
      .where(and(eq(audit.action, 'repo.squash'), eq(audit.target_id, repo.id)))
    expect(rows).toEqual([{ after: { ref: 'refs/heads/side', commit: expect.any(String) } }])
    expect((await listCommits(ctx, repo, { limit: 10 })).total).toBe(3)
    expect((await listCommits(ctx, repo, { revision: 'side', limit: 10 })).commits[0]?.subject).toBe(
      'Squash the history of side',
    )
  })

  test('needs the right to force where it is the default one, else the right to write', async () => {
    const { writer, repo, ctx } = await given()
    await createBranch(ctx, repo, { name: 'side', via: 'api' })
    const theirs = world.ctx(writer)
    await expect(superSquash(theirs, repo, 'main')).rejects.toMatchObject({ code: 'forbidden' })
    expect(await superSquash(theirs, repo, 'side')).toMatch(/^[0-9a-f]{40}$/)
    await expect(superSquash(theirs, repo, 'none')).rejects.toMatchObject({ code: 'revision-not-found' })
  })

  test('a commit that overtakes a squash is kept, and the squash refused; one that comes late is made on top', async () => {
    const beforePack = before('put', { key: /^git\// })
    const { owner, repo, ctx } = await given()
    const squash = await hold(ctx, beforePack, (held) => superSquash(held, repo, 'main'))
    const { commit: meanwhile } = await givenCommit(world, owner, repo, [add('meanwhile')])
    await expect(squash.resume()).rejects.toMatchObject({ code: 'commit-conflict' })
    expect((await ctx.git.openFresh(repo.id)).findRef('refs/heads/main')?.commit).toBe(meanwhile)
    const late = await hold(ctx, beforePack, (held) =>
      commit(held, repo, { title: 'late', via: 'api', operations: [add('late')] }),
    )
    const squashed = await superSquash(ctx, repo, 'main')
    const { commit: sha } = await late.resume()
    const made = await (await ctx.git.openFresh(repo.id)).findCommit(sha)
    expect(made?.parents).toEqual([squashed])
    expect(await pathsOf(world, owner, repo)).toEqual(expect.arrayContaining(['meanwhile', 'late']))
  })
})
