import { expect, test } from 'vitest'
import { updateMe, updateOrg } from '../../namespaces/index.ts'
import { eachDatabase, givenOrg, givenRepo, givenToken, givenUser } from '../../../testing.ts'
import { createRepo, renameRepo, requireRepo, RepoMoved } from '../index.ts'

eachDatabase('creating a repo', (world) => {
  const read = async (repoId: string, path: string) => {
    const snapshot = await world.deps.git.open(repoId)
    const head = await snapshot.resolve()
    const entry = await snapshot.entryAt(head?.commit ?? '', path)
    return entry && (await snapshot.readBlob(entry.oid, 100_000))?.toString()
  }

  test('writes one commit by its creator, with the patterns of large files', async () => {
    const ada = await givenUser(world, 'ada')
    const repo = await givenRepo(world, ada, { name: 'First', licence: 'MIT' })
    expect(repo).toMatchObject({
      ns: 'ada',
      name: 'First',
      visibility: 'private',
      isDeleted: false,
      headFiles: 2,
    })
    const snapshot = await world.deps.git.open(repo.id)
    const commit = await snapshot.findCommit(repo.headCommit ?? '')
    expect(commit).toMatchObject({ parents: [], message: 'initial commit\n', author: { name: 'ada' } })
    expect(await read(repo.id, '.gitattributes')).toContain(
      '*.safetensors filter=lfs diff=lfs merge=lfs -text\n',
    )
    expect(await read(repo.id, 'README.md')).toBe('---\nlicense: mit\n---\n')
    expect(repo.licence).toBe('mit')
  })

  test('datasets keep media as large files', async () => {
    const bob = await givenUser(world, 'bob')
    const repo = await givenRepo(world, bob, { type: 'dataset' })
    expect(await read(repo.id, '.gitattributes')).toContain('*.wav filter=lfs')
  })

  test('a repo without a visibility gets that of its namespace, which is public by default', async () => {
    const gwen = await givenUser(world, 'gwen')
    const org = await givenOrg(world, 'lab', gwen)
    const create = (ns: string, name: string) =>
      createRepo(world.ctx(gwen), { type: 'model', ns, name }).then(({ visibility }) => visibility)
    expect(await create('gwen', 'one')).toBe('public')
    await updateMe(world.ctx(gwen), { default_visibility: 'private' })
    expect(await create('gwen', 'two')).toBe('private')
    expect(await create(org.name, 'one')).toBe('public')
    await updateOrg(world.ctx(gwen), org.name, { default_visibility: 'private' })
    expect(await create(org.name, 'two')).toBe('private')
    // What is left out of a later change stays.
    await updateOrg(world.ctx(gwen), org.name, { bio: 'We measure.' })
    expect(await create(org.name, 'three')).toBe('private')
  })

  test('leaves a trace of who did it', async () => {
    const cid = await givenUser(world, 'cid')
    const { id } = await givenRepo(world, cid, { name: 'traced' })
    const rows = await world.db.q.select().from(world.db.t.audit)
    const row = rows.find(({ target_id }) => target_id === id)
    expect(row).toMatchObject({
      action: 'repo.create',
      actor_id: cid.id,
      target_name: 'cid/traced',
      outcome: 'ok',
    })
  })

  test.each(['a--b', 'x.git', 'resolve', 'Tree', '-a', 'a/b', 'a\0b', '', 'a'.repeat(97)])(
    'refuses the name %j',
    async (name) => {
      const dan = await givenUser(world, `dan-${Math.random().toString(36).slice(2)}`)
      await expect(givenRepo(world, dan, { name })).rejects.toMatchObject({
        code: 'invalid-name',
        status: 422,
      })
    },
  )

  test('tells a taken name, in any case, to those alone who may create there', async () => {
    const eve = await givenUser(world, 'eve')
    const mallory = await givenUser(world, 'mallory')
    await givenRepo(world, eve, { name: 'Taken' })
    const wanted = { type: 'model' as const, ns: 'eve', name: 'tAKEN' }
    await expect(createRepo(world.ctx(eve), wanted)).rejects.toMatchObject({
      code: 'name-taken',
      members: { repo: { ns: 'eve', name: 'Taken' } },
    })
    const refused = { code: 'forbidden' }
    await expect(createRepo(world.ctx(mallory), wanted)).rejects.toMatchObject(refused)
    await expect(createRepo(world.ctx(mallory), { ...wanted, name: 'free' })).rejects.toMatchObject(refused)
    await expect(createRepo(world.ctx(mallory), { ...wanted, ns: 'nobody' })).rejects.toMatchObject(refused)
    await expect(createRepo(world.ctx({ kind: 'anonymous' }), wanted)).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    expect(await givenRepo(world, eve, { type: 'dataset', name: 'taken' })).toMatchObject({ type: 'dataset' })
  })

  test('needs write in an organisation, and of a token the scope and the fence', async () => {
    const [boss, writer, reader] = [
      await givenUser(world, 'boss'),
      await givenUser(world, 'wri'),
      await givenUser(world, 'rea'),
    ]
    await givenOrg(world, 'acme', boss, [
      [writer, 'write'],
      [reader, 'read'],
    ])
    expect(await givenRepo(world, writer, { ns: 'ACME', name: 'ok' })).toMatchObject({ ns: 'acme' })
    await expect(givenRepo(world, reader, { ns: 'acme' })).rejects.toMatchObject({ code: 'forbidden' })
    const readToken = await givenToken(world, writer, { scopes: ['read'] })
    await expect(givenRepo(world, readToken.actor)).rejects.toMatchObject({ code: 'insufficient-scope' })
    const fenced = await givenToken(world, writer, { fence: { namespaces: ['acme'] } })
    expect(await givenRepo(world, fenced.actor, { ns: 'acme' })).toMatchObject({ ns: 'acme' })
    await expect(givenRepo(world, fenced.actor)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('of several at once one wins, and nothing of the others is left', async () => {
    const fay = await givenUser(world, 'fay')
    const { repos, git_packs } = world.db.t
    const before = [await world.db.q.$count(repos), await world.db.q.$count(git_packs)]
    const made = await Promise.allSettled(
      ['race', 'Race', 'RACE', 'rAce'].map((name) => givenRepo(world, fay, { name })),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of made)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'name-taken' })
    expect(await world.db.q.$count(repos)).toBe((before[0] ?? 0) + 1)
    expect(await world.db.q.$count(git_packs)).toBe((before[1] ?? 0) + 1)
  })

  test('leaves nothing behind when the store fails', async () => {
    const gus = await givenUser(world, 'gus')
    const rows = await world.db.q.$count(world.db.t.repos)
    const put = world.blobs.put.bind(world.blobs)
    world.blobs.put = () => Promise.reject(new Error('the disk is gone'))
    try {
      await expect(givenRepo(world, gus, { name: 'half', licence: 'mit' })).rejects.toThrow()
    } finally {
      world.blobs.put = put
    }
    expect(await world.db.q.$count(world.db.t.repos)).toBe(rows)
    expect(await givenRepo(world, gus, { name: 'half' })).toMatchObject({ name: 'half' })
  })

  test('at an old address ends its redirect', async () => {
    const hal = await givenUser(world, 'hal')
    const ctx = world.ctx(hal)
    const old = { type: 'model' as const, ns: 'hal', name: 'old' }
    await givenRepo(world, hal, { name: 'old' })
    await renameRepo(ctx, old, 'new')
    await expect(requireRepo(ctx, old, 'repo.read')).rejects.toBeInstanceOf(RepoMoved)
    const second = await givenRepo(world, hal, { name: 'old' })
    expect(await requireRepo(ctx, old, 'repo.read')).toMatchObject({ id: second.id })
  })

  test('refuses a licence of more than one line', async () => {
    const ida = await givenUser(world, 'ida')
    await expect(givenRepo(world, ida, { licence: 'mit\nx: y' })).rejects.toMatchObject({
      code: 'validation-failed',
      errors: [{ field: 'licence' }],
    })
  })
})
