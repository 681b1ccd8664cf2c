import { eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import type { Check, CheckOptions, Finding } from '../../core/check.ts'
import { commit } from '../content/index.ts'
import { lfsCheck } from '../../core/lfs/index.ts'
import type { Repo } from '../repos/index.ts'
import { fromChunks, type StoreErrorKind } from '../../stores/storage/index.ts'
import type { FaultPlan } from '../../stores/storage/testing/fault-plan.ts'
import { eachDatabase, givenUser } from '../../testing.ts'
import { uploadCheck } from './checks.ts'
import { pointerCheck } from './pointer-check.ts'
import { givenLink, givenObject, givenRepo, givenUpload } from './testing.ts'
import { givenContent, hours, objectRow, overFaulty, pass } from '../../core/lfs/testing.ts'

eachDatabase('fsck of large files', (world) => {
  let owner: UserActor
  let made = 0
  beforeAll(async () => {
    owner = await givenUser(world, 'owner')
  })
  const given = () => givenRepo(world, owner, `repo${++made}`)
  async function found(check: Check, options: Partial<CheckOptions> = {}): Promise<Finding[]> {
    const findings: Finding[] = []
    for await (const finding of check.run(world.deps, { deep: false, repair: false, ...options }))
      findings.push(finding)
    return findings
  }
  const namesOf = async (check: Check, options?: Partial<CheckOptions>) =>
    (await found(check, options)).map((finding) => finding.check)
  async function linked(repo: Repo) {
    const content = await givenObject(world, owner, repo, givenContent(3000))
    await givenLink(world, repo, content)
    return { ...content, key: (await objectRow(world, content.sha256))?.key ?? '' }
  }

  test('a sound repo has no findings, deep or not', async () => {
    const repo = await given()
    await linked(repo)
    for (const check of [lfsCheck, uploadCheck, pointerCheck])
      for (const deep of [false, true]) expect(await found(check, { deep, repoId: repo.id })).toEqual([])
  })

  test('bytes that are gone, cut short or flipped are found; repair quarantines them until they come again', async () => {
    const repo = await given()
    const [gone, short, flipped] = [await linked(repo), await linked(repo), await linked(repo)]
    const sound = await linked(repo)
    for (const { key } of [gone, short, flipped]) await world.blobs.delete(key)
    await world.blobs.put(short.key, fromChunks(short.bytes.subarray(1)))
    const wrong = Buffer.from(flipped.bytes)
    wrong[9] = (wrong[9] ?? 0) ^ 1
    await world.blobs.put(flipped.key, fromChunks(wrong))
    const repoId = repo.id
    expect(await namesOf(lfsCheck, { repoId })).toEqual(['lfs.object', 'lfs.object'])
    expect(await namesOf(lfsCheck, { repoId, deep: true })).toHaveLength(3)
    const repaired = await found(lfsCheck, { repoId, deep: true, repair: true })
    expect(repaired.filter((finding) => finding.repaired)).toHaveLength(3)
    expect(await namesOf(lfsCheck, { repoId })).toEqual(['lfs.link', 'lfs.link', 'lfs.link'])
    expect(await objectRow(world, sound.sha256)).toMatchObject({ key: sound.key, corrupt_at: null })
    for (const content of [gone, short, flipped]) await givenObject(world, owner, repo, content)
    expect(await found(lfsCheck, { repoId, deep: true })).toEqual([])
  })

  test('a run that dies has said and repaired all damage up to where it would go on', async () => {
    const repo = await given()
    const damaged = await linked(repo)
    await world.blobs.delete(damaged.key)
    const findings: Finding[] = []
    const dead = new Error('killed')
    const note = (id: string) => {
      if (id === damaged.sha256) throw dead
    }
    const run = async () => {
      const options = { deep: true, repair: true, resume: { after: '', note } }
      for await (const finding of lfsCheck.run(world.deps, options)) findings.push(finding)
    }
    await expect(run()).rejects.toBe(dead)
    expect(findings.at(-1)).toMatchObject({
      repaired: true,
      message: expect.stringContaining(damaged.sha256),
    })
    expect((await objectRow(world, damaged.sha256))?.corrupt_at).toEqual(world.clock.now)
  })

  test('a store that fails is no damage; bytes that go between two looks are', async () => {
    const repo = await given()
    const content = await linked(repo)
    const repaired = async (kind: StoreErrorKind) => {
      const plan: FaultPlan = ({ operation }) => (operation === 'read' ? { type: 'before', kind } : undefined)
      const findings: Finding[] = []
      const deps = overFaulty(world.ctx(), plan)
      for await (const finding of lfsCheck.run(deps, { deep: true, repair: true, repoId: repo.id }))
        findings.push(finding)
      return findings
    }
    await expect(repaired('transient')).rejects.toMatchObject({ kind: 'transient' })
    expect(await objectRow(world, content.sha256)).toMatchObject({ corrupt_at: null })
    expect(await repaired('missing')).toMatchObject([
      {
        check: 'lfs.object',
        repaired: true,
        message: expect.stringContaining('the bytes are gone') as string,
      },
      { check: 'lfs.link' },
    ])
  })

  test('a link whose object has no row is damage', async () => {
    const repo = await given()
    const content = await linked(repo)
    await world.db.write(async ({ q, t: { lfs_objects: o } }) => {
      await q.delete(o).where(eq(o.sha256, content.sha256))
    })
    expect(await found(lfsCheck, { repoId: repo.id })).toEqual([
      expect.objectContaining({ check: 'lfs.link', severity: 'error', repo_id: repo.id }),
    ])
  })

  test('a pointer at a head that is not linked is damage', async () => {
    const repo = await given()
    const content = await givenObject(world, owner, repo)
    const { sha256, sizeBytes } = content
    const operations = [{ op: 'add-lfs' as const, path: 'a/model.bin', sha256, sizeBytes }]
    await commit(world.ctx(owner), repo, { title: 'add', operations, via: 'api' })
    const repoId = repo.id
    expect(await found(pointerCheck, { repoId })).toEqual([])
    await world.db.write(async ({ q, t: { lfs_links: l } }) => {
      await q.delete(l).where(eq(l.repo_id, repoId))
    })
    expect(await found(pointerCheck, { repoId })).toEqual([
      expect.objectContaining({ check: 'lfs.pointer', message: expect.stringContaining('a/model.bin') }),
    ])
  })

  test('an upload two nights past its deadline, and a part without bytes, are found', async () => {
    const repo = await given()
    const repoId = repo.id
    const upload = await givenUpload(world, repo, owner, givenContent())
    await world.db.write(async ({ q, t }) => {
      await q
        .insert(t.upload_parts)
        .values({ upload_id: upload.id, n: 1, key: 'uploads/x/1.y', etag: '', size: 1000 })
    })
    expect(await namesOf(uploadCheck, { repoId })).toEqual(['uploads.part'])
    await found(uploadCheck, { repoId, repair: true })
    expect(await namesOf(uploadCheck, { repoId })).toEqual([])
    pass(world, hours(168 + 47))
    expect(await namesOf(uploadCheck, { repoId })).toEqual([])
    pass(world, hours(1))
    expect(await namesOf(uploadCheck, { repoId })).toEqual(['uploads.deadline'])
  })

  test('bytes without a row are worth a word once they are old', async () => {
    const key = `lfs/aa/bb/${givenContent().sha256}.stray`
    await world.blobs.put(key, fromChunks(Buffer.from('x')))
    const before = world.clock.now
    world.clock.now = new Date((await world.blobs.stat(key))?.modifiedAt.getTime() ?? 0)
    pass(world, hours(7 * 24 + 1))
    expect(await found(lfsCheck)).toContainEqual({
      check: 'lfs.stray',
      severity: 'info',
      message: expect.stringContaining(key) as string,
    })
    world.clock.now = before
  })
})
