import { beforeAll, expect, test } from 'vitest'
import type { UserActor } from '../../../core/access/index.ts'
import {
  asked,
  codeOf,
  givenContent,
  objectRow,
  storeCalls,
  type Content,
} from '../../../core/lfs/testing.ts'
import type { Repo } from '../../repos/index.ts'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { batch, type BatchRequest } from './batch.ts'
import { givenLink, givenObject, givenRepo } from '../testing.ts'

eachDatabase('LFS batch', (world) => {
  let owner: UserActor
  let stranger: UserActor
  let repo: Repo
  beforeAll(async () => {
    owner = await givenUser(world, 'owner')
    stranger = await givenUser(world, 'stranger')
    repo = await givenRepo(world, owner, 'tiny', { visibility: 'public' })
  })
  const ask = (
    operation: BatchRequest['operation'],
    objects: BatchRequest['objects'],
    more = {},
    as = owner,
  ) => batch(world.ctx(as), repo, { operation, objects, ref: { name: 'main' }, ...more })
  // The seven cases of git-lfs: t/git-lfs-test-server-api.
  const present = () => givenObject(world, owner, repo)
  const shape = ({ actions, error }: Awaited<ReturnType<typeof ask>>['objects'][number]) => [
    Object.keys(actions ?? {}),
    error?.code,
  ]

  test('download, all present: a link each', async () => {
    const objects = [await present(), await present()].map(asked)
    const { objects: answers } = await ask('download', objects)
    expect(answers.map(shape)).toEqual([
      [['download'], undefined],
      [['download'], undefined],
    ])
    expect(answers.map(({ oid, size }) => ({ oid, size }))).toEqual(objects)
  })

  test('download, all missing: no link, error 404', async () => {
    const { objects } = await ask('download', [givenContent(), givenContent()].map(asked))
    expect(objects.map(shape)).toEqual([
      [[], 404],
      [[], 404],
    ])
  })

  test('download, mixed: each its own answer, in the order asked', async () => {
    const { objects } = await ask('download', [givenContent(), await present(), givenContent()].map(asked))
    expect(objects.map(shape)).toEqual([
      [[], 404],
      [['download'], undefined],
      [[], 404],
    ])
  })

  test('upload, all missing: a link each', async () => {
    const { objects, transfer } = await ask('upload', [givenContent(), givenContent(0)].map(asked))
    expect(transfer).toBe('basic')
    expect(objects.map(shape)).toEqual([
      [['upload', 'verify'], undefined],
      [['upload', 'verify'], undefined],
    ])
  })

  test('upload, all present: no link and no key for one', async () => {
    const objects = [await present(), await present()].map(asked)
    expect((await ask('upload', objects)).objects).toEqual(objects)
  })

  test('upload, mixed: only what is missing gets a link', async () => {
    const { objects } = await ask('upload', [await present(), givenContent()].map(asked))
    expect(objects.map(shape)).toEqual([
      [[], undefined],
      [['upload', 'verify'], undefined],
    ])
  })

  const good = 'a'.repeat(64)
  test.each([
    ['a short oid', 'a'.repeat(63), 1],
    ['a long oid', 'a'.repeat(65), 1],
    ['a non-hex oid', 'z'.repeat(64), 1],
    ['an upper-case oid', 'A'.repeat(64), 1],
    ['an oid that climbs', `../../${'a'.repeat(58)}`, 1],
    ['a negative size', good, -1],
    ['a broken size', good, 1.5],
    ['a size beyond every store', good, 2 ** 50],
    ['a size that is no number', good, Number.NaN],
    ['an endless size', good, Number.POSITIVE_INFINITY],
  ])('edge: %s is 422 of that object, the others are answered', async (_, oid, size) => {
    for (const operation of ['upload', 'download'] as const) {
      const { objects } = await ask(operation, [{ oid, size }, asked(await present())])
      expect(objects.map((object) => object.error?.code)).toEqual([422, undefined])
    }
  })

  test('edge: size 0 gets an upload link', async () => {
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    const { objects } = await ask('upload', [{ oid: empty, size: 0 }])
    expect(objects.map(shape)).toEqual([[['upload', 'verify'], undefined]])
  })

  test('another size than the stored one is 422', async () => {
    const content = await present()
    const wrong = { oid: content.sha256, size: content.sizeBytes + 1 }
    for (const operation of ['upload', 'download'] as const)
      expect((await ask(operation, [wrong])).objects.map(shape)).toEqual([[[], 422]])
  })

  test('more than 1000 objects are refused whole', async () => {
    const objects = Array.from({ length: 1001 }, () => ({ oid: good, size: 1 }))
    expect(await codeOf(ask('upload', objects))).toBe('body-too-large')
    expect(await codeOf(ask('upload', objects.slice(1)))).toBe('ok')
  })

  test('asking for a present object keeps it from the garbage collector', async () => {
    const content = await present()
    world.clock.now = new Date(world.clock.now.getTime() + 1000)
    await ask('upload', [asked(content)])
    expect((await objectRow(world, content.sha256))?.touched_at).toEqual(world.clock.now)
  })

  test('an object the caller may not use is answered like one that does not exist', async () => {
    const secret = await givenObject(world, owner, await givenRepo(world, owner, 'secret'))
    const absent = givenContent()
    const as = stranger
    for (const transfers of [undefined, ['multipart']]) {
      const run = async (content: Content) => {
        let answers: unknown
        const calls = await storeCalls(world.ctx(as), async (ctx) => {
          const objects = [asked(content)]
          answers = (await batch(ctx, repo, { operation: 'upload', objects, transfers })).objects
        })
        const text = JSON.stringify(answers)
          .replaceAll(content.sha256, 'OID')
          .replaceAll(/sig=[\w-]+/g, 'sig')
        return { calls, text }
      }
      expect(await run(secret)).toEqual(await run(absent))
    }
    const { objects } = await ask('download', [secret, absent].map(asked), {}, as)
    expect(objects.map(shape)).toEqual([
      [[], 404],
      [[], 404],
    ])
  })

  test('a link elsewhere that the caller can read counts as present', async () => {
    const open = await givenRepo(world, owner, 'open', { visibility: 'public' })
    const content = await givenObject(world, owner, open)
    await givenLink(world, open, content)
    const mine = await givenRepo(world, stranger, 'mine')
    const answer = await batch(world.ctx(stranger), mine, { operation: 'upload', objects: [asked(content)] })
    expect(answer.objects).toEqual([asked(content)])
  })

  test('rights: writers upload, readers only towards a pull request, what is hidden looks absent', async () => {
    const objects = [asked(givenContent())]
    const request = (ref?: string) => ({
      operation: 'upload' as const,
      objects,
      ref: ref ? { name: ref } : undefined,
    })
    const hidden = await givenRepo(world, owner, 'hidden')
    const by = (actor: Parameters<typeof world.ctx>[0], at: Repo, ref?: string) =>
      codeOf(batch(world.ctx(actor), at, request(ref)))
    expect(await by(stranger, repo, 'main')).toBe('forbidden')
    expect(await by(stranger, repo, 'refs/heads/main')).toBe('forbidden')
    expect(await by(stranger, repo, 'refs/pr/1')).toBe('ok')
    expect(await by(stranger, repo)).toBe('ok')
    expect(await by(stranger, hidden)).toBe('repo-not-found')
    expect(await by(stranger, { ...repo, name: 'absent' })).toBe('repo-not-found')
    expect(await by({ kind: 'anonymous' }, repo)).toBe('unauthenticated')
    const download = { operation: 'download' as const, objects }
    expect(await codeOf(batch(world.ctx(stranger), hidden, download))).toBe('repo-not-found')
    expect(await codeOf(batch(world.ctx({ kind: 'anonymous' }), repo, download))).toBe('unauthenticated')
  })

  test('gated files are not lent to those who were not let in', async () => {
    const gated = await givenRepo(world, owner, 'gated', { visibility: 'public', gated: 'manual' })
    const objects = [asked(await givenObject(world, owner, gated))]
    expect(await codeOf(batch(world.ctx(stranger), gated, { operation: 'download', objects }))).toBe('gated')
    expect(await codeOf(batch(world.ctx(owner), gated, { operation: 'download', objects }))).toBe('ok')
  })
})
