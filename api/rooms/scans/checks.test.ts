import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { Finding } from '../../core/check.ts'
import { eachDatabase, givenRepo, givenUser } from '../../testing.ts'
import { createBranch, deleteBranch } from '../content/index.ts'
import { scanCheck } from './checks.ts'
import { givenFiles, scanDue } from './testing.ts'

const unsafe = Buffer.from("cposix\nsystem\n(S'id'\ntR.")

eachDatabase('fsck of scans', (world) => {
  let made = 0
  async function given() {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenRepo(world, owner)
    await givenFiles(world, owner, repo, {
      'a.pkl': unsafe,
      'b.pkl': Buffer.concat([unsafe, Buffer.from(`${made}`)]),
    })
    await scanDue(world)
    return repo
  }
  async function check(repoId?: string, repair = false): Promise<Finding[]> {
    const findings: Finding[] = []
    const only = repoId === undefined ? {} : { repoId }
    for await (const finding of scanCheck.run(world.deps, { deep: false, repair, ...only }))
      findings.push(finding)
    return findings
  }

  test('finds nothing in what scans have written', async () => {
    await given()
    expect(await check()).toEqual([])
  })

  test('finds nothing of a branch that was scanned and deleted', async () => {
    const owner = await givenUser(world, `owner${++made}`)
    const repo = await givenRepo(world, owner)
    await createBranch(world.ctx(owner), repo, { name: 'side', via: 'api' })
    await givenFiles(world, owner, repo, { 'a.pkl': unsafe }, { branch: 'side' })
    await scanDue(world)
    await deleteBranch(world.ctx(owner), repo, 'side', 'api')
    expect(await check(repo.id)).toEqual([])
  })

  test.each([
    ['a listed file is lost', 'scans.tally'],
    ['a verdict is lost', 'scans.verdict'],
    ['a ref is gone', 'scans.ref'],
  ])('where %s, repair makes it whole', async (_, code) => {
    const repo = await given()
    const other = await given()
    const { scan_issues: i, scan_results: r, scan_refs: s } = world.db.t
    await world.db.write(async ({ q }) => {
      if (code === 'scans.tally') await q.delete(i).where(eq(i.repo_id, repo.id))
      else if (code === 'scans.ref') {
        await q.update(s).set({ ref: 'refs/heads/gone' }).where(eq(s.repo_id, repo.id))
        await q.update(i).set({ ref: 'refs/heads/gone' }).where(eq(i.repo_id, repo.id))
      } else await q.delete(r)
    })
    expect(await check(repo.id)).toMatchObject([{ check: code, repo_id: repo.id }])
    if (code !== 'scans.verdict') expect(await check(other.id)).toEqual([])
    expect(await check(undefined, true)).toContainEqual(
      expect.objectContaining({ check: code, repo_id: repo.id, repaired: true }),
    )
    await scanDue(world)
    expect(await check()).toEqual([])
    if (code !== 'scans.ref') expect(await world.db.q.$count(i, eq(i.repo_id, repo.id))).toBe(2)
  })
})
