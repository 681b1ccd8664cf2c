import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import { formatPointer } from '../../../core/lfs/index.ts'
import { givenContent } from '../../../core/lfs/testing.ts'
import { findRepo, type NewRepo, type Repo } from '../../repos/index.ts'
import { eachDatabase, givenRepo, givenUser } from '../../../testing.ts'
import { givenObject } from '../../uploads/testing.ts'
import { headCheck } from '../checks.ts'
import { listCommits } from '../read/commits.ts'
import { createRepoWithFiles } from './create-with-files.ts'
import { pathsOf, textOf } from '../testing.ts'

eachDatabase('a repo that is created with files', (world) => {
  let made = 0
  const file = (path: string, text: string | Buffer) => ({ path, bytes: Buffer.from(text) })
  const wantedBy = (owner: UserActor, more: Partial<NewRepo> = {}): NewRepo => ({
    type: 'model',
    ns: owner.username,
    name: 'made',
    ...more,
  })
  const given = () => givenUser(world, `maker${++made}`)

  async function commitsOf(owner: UserActor, repo: Repo) {
    return (await listCommits(world.ctx(owner), repo, { limit: 5 })).commits
  }

  test('has them in its first commit, in place of what it would begin with', async () => {
    const owner = await given()
    const card = '---\nlicense: apache-2.0\ntags:\n- tiny\n---\n# Mine\n'
    const files = [file('README.md', card), file('src/a b.py', 'print()\n')]
    const repo = await createRepoWithFiles(world.ctx(owner), wantedBy(owner, { licence: 'mit' }), files)
    expect(await commitsOf(owner, repo)).toMatchObject([
      { subject: 'initial commit', parents: [], userId: owner.id, author: { name: owner.username } },
    ])
    expect(await pathsOf(world, owner, repo)).toEqual(['.gitattributes', 'README.md', 'src/a b.py'])
    expect(await textOf(world, owner, repo, 'README.md')).toBe(card)
    expect(repo).toMatchObject({ licence: 'apache-2.0', headFiles: 3 })
    const options = { deep: true, repair: false, repoId: repo.id }
    for await (const finding of headCheck.run(world.deps, options)) expect(finding).toBeUndefined()
  })

  test('without any is as all others', async () => {
    const owner = await given()
    const repo = await createRepoWithFiles(world.ctx(owner), wantedBy(owner), [])
    expect([await pathsOf(world, owner, repo), repo.headFiles]).toEqual([['.gitattributes'], 1])
  })

  test("holds a large file by its pointer where that is its maker's to use", async () => {
    const owner = await given()
    const object = await givenObject(world, owner, await givenRepo(world, owner))
    const files = [file('odd/name', formatPointer(object)), file('.gitattributes', '*.bin -text\n')]
    const repo = await createRepoWithFiles(world.ctx(owner), wantedBy(owner), files)
    expect(repo.headBytes).toBeGreaterThanOrEqual(object.sizeBytes)
    expect(await textOf(world, owner, repo, '.gitattributes')).toMatch(
      /^\*\.bin -text\n\/odd\/name filter=lfs /,
    )
    expect(await commitsOf(owner, repo)).toHaveLength(1)
  })

  test.each([
    ['a path that none may have', [file('../x', '')], 'validation-failed'],
    ['two of one name', [file('A', ''), file('a', '')], 'validation-failed'],
    ['what is folder and file', [file('a', ''), file('a/b', '')], 'validation-failed'],
    ['a pointer to what is not theirs', [file('w.bin', formatPointer(givenContent()))], 'lfs-object-missing'],
  ])('is not created with %s', async (_, files, code) => {
    const owner = await given()
    const wanted = wantedBy(owner)
    await expect(createRepoWithFiles(world.ctx(owner), wanted, files)).rejects.toMatchObject({ code })
    expect(await findRepo(world.ctx(owner), wanted)).toEqual({})
    expect(await createRepoWithFiles(world.ctx(owner), wanted, [file('a', '')])).toMatchObject({
      headFiles: 2,
    })
  })

  test('is not created above the quota', async () => {
    const owner = await given()
    const { namespaces } = world.db.t
    await world.db.write(({ q }) =>
      q.update(namespaces).set({ quota_bytes: 10_000 }).where(eq(namespaces.name, owner.username)),
    )
    const wanted = wantedBy(owner)
    const large = [file('a.txt', Buffer.alloc(20_000, 'a'))]
    await expect(createRepoWithFiles(world.ctx(owner), wanted, large)).rejects.toMatchObject({
      code: 'quota-exceeded',
    })
    expect(await findRepo(world.ctx(owner), wanted)).toEqual({})
    expect(await createRepoWithFiles(world.ctx(owner), wanted, [file('a.txt', 'a')])).toMatchObject({
      headFiles: 2,
    })
  })
})
