import { expect, test } from 'vitest'
import { reservedNamespaces } from '../../../shared/vocabulary.ts'
import { eachDatabase, givenToken, givenUser } from '../../testing.ts'
import { createOrg, createUser, findNamespace, findUser, setAdminByName, updateMe } from './index.ts'

eachDatabase('users and organisations', (world) => {
  let n = 0
  const unique = (stem: string) => `${stem}-${n++}`

  test.each([
    '',
    '-a',
    'a-',
    '.a',
    'a.',
    'a--b',
    'a..b',
    'a b',
    'a/b',
    'ä',
    'a\0',
    '..',
    'x.git',
    'x.GIT',
    'x.ipynb',
    'x'.repeat(97),
  ])('the name %j is refused', async (name) => {
    const user = await givenUser(world, unique('namer'))
    const refusal = { code: 'invalid-name', status: 422 }
    await expect(createUser(world.ctx(), { username: name, passwordHash: null })).rejects.toMatchObject({
      ...refusal,
      errors: [{ field: 'username' }],
    })
    await expect(createOrg(world.ctx(user), { ns: name })).rejects.toMatchObject({
      ...refusal,
      errors: [{ field: 'ns' }],
    })
  })

  test('reserved words are refused in any case', async () => {
    for (const name of [...reservedNamespaces, 'API', 'Datasets'])
      await expect(createUser(world.ctx(), { username: name, passwordHash: null })).rejects.toMatchObject({
        code: 'invalid-name',
      })
  })

  test.each(['__DUMMY_HUB_USER__', 'hub.js', '0', 'x'.repeat(96)])(
    'the name %s is accepted',
    async (username) => {
      await expect(createUser(world.ctx(), { username, passwordHash: null })).resolves.toMatchObject({
        username,
      })
    },
  )

  test('a name is shown as created and found in any case', async () => {
    const name = unique('AcMe')
    await createUser(world.ctx(), { username: name, passwordHash: null })
    expect(await findUser(world.db, name.toUpperCase())).toMatchObject({ username: name, display_name: name })
    expect(await findNamespace(world.db, name.toLowerCase())).toMatchObject({ name, kind: 'user' })
  })

  test('users and organisations share one name space, whatever the case', async () => {
    const [user, name] = [await givenUser(world, unique('founder')), unique('Shared')]
    await createOrg(world.ctx(user), { ns: name })
    const taken = { code: 'name-taken', status: 409 }
    await expect(
      createUser(world.ctx(), { username: name.toLowerCase(), passwordHash: null }),
    ).rejects.toMatchObject(taken)
    await expect(createOrg(world.ctx(user), { ns: user.username.toUpperCase() })).rejects.toMatchObject(taken)
  })

  test('of many who take one name at once, one gets it', async () => {
    const [user, name] = [await givenUser(world, unique('racer')), unique('prize')]
    const results = await Promise.allSettled([
      ...Array.from({ length: 4 }, () => createUser(world.ctx(), { username: name, passwordHash: null })),
      ...Array.from({ length: 4 }, () => createOrg(world.ctx(user), { ns: name })),
    ])
    const losses = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    )
    expect(losses.length).toBe(7)
    for (const loss of losses) expect(loss).toMatchObject({ code: 'name-taken' })
  })

  test('an address belongs to one user, whatever the case', async () => {
    const create = (email: string) =>
      createUser(world.ctx(), { username: unique('mail'), passwordHash: null, email })
    await create('One@Example.org')
    await expect(create('one@example.ORG')).rejects.toMatchObject({ code: 'email-taken' })
    const raced = await Promise.allSettled([create('two@example.org'), create('Two@example.org')])
    expect(
      raced.map((result) =>
        result.status === 'rejected' ? (result.reason as { code: string }).code : 'made',
      ),
    ).toEqual(expect.arrayContaining(['made', 'email-taken']))
  })

  test('only an unrestricted token that may write can create an organisation', async () => {
    const user = await givenUser(world, unique('founder'))
    const found = async (more: Parameters<typeof givenToken>[2]) =>
      createOrg(world.ctx((await givenToken(world, user, more)).actor), { ns: unique('org') })
    await expect(found({ scopes: ['write'] })).resolves.toMatchObject({ kind: 'org' })
    await expect(found({ scopes: ['read'] })).rejects.toMatchObject({ code: 'insufficient-scope' })
    await expect(found({ fence: { namespaces: [user.username] } })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(createOrg(world.ctx({ kind: 'anonymous' }), { ns: 'x' })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
  })

  test('the admin right is given to a user who exists', async () => {
    const user = await givenUser(world, unique('climber'))
    await setAdminByName(world.ctx(), user.username.toUpperCase(), true)
    expect(await findUser(world.db, user.username)).toMatchObject({ is_admin: true })
    await expect(setAdminByName(world.ctx(), 'nobody', true)).rejects.toMatchObject({ code: 'not-found' })
  })
})

eachDatabase('pending email', (world) => {
  let n = 0
  const given = async () => {
    const user = await givenUser(world, `user-${n}`, { email: `User-${n++}@example.org` })
    return { ...user, email: `User-${n - 1}@example.org` }
  }

  test('a new address waits and changes nothing yet; the next one replaces it', async () => {
    const user = await given()
    expect(await updateMe(world.ctx(user), { email: 'new@example.org' })).toMatchObject({
      email: user.email,
      email_verified: true,
      pending_email: 'new@example.org',
    })
    expect(await updateMe(world.ctx(user), { email: 'newer@example.org' })).toMatchObject({
      pending_email: 'newer@example.org',
    })
  })

  test('the present address cancels the change', async () => {
    const user = await given()
    await updateMe(world.ctx(user), { email: 'elsewhere@example.org' })
    expect(await updateMe(world.ctx(user), { email: user.email.toUpperCase() })).toMatchObject({
      email: user.email,
      email_verified: true,
      pending_email: null,
    })
  })

  test('the address of another user is refused and nothing changes, the display name neither', async () => {
    const [user, other] = [await given(), await given()]
    await updateMe(world.ctx(user), { email: 'waiting@example.org' })
    const change = updateMe(world.ctx(user), { email: other.email.toLowerCase(), display_name: 'Changed' })
    await expect(change).rejects.toMatchObject({
      code: 'email-taken',
      status: 409,
      errors: [{ field: 'email' }],
    })
    expect(await findUser(world.db, user.username)).toMatchObject({
      email: user.email,
      pending_email: 'waiting@example.org',
      display_name: user.username,
    })
  })

  test('an address that only waits for another user is free', async () => {
    const [user, other] = [await given(), await given()]
    await updateMe(world.ctx(other), { email: 'both@example.org' })
    expect(await updateMe(world.ctx(user), { email: 'both@example.org' })).toMatchObject({
      pending_email: 'both@example.org',
    })
  })

  test('an empty address removes it at once, with what waits', async () => {
    const user = await given()
    await updateMe(world.ctx(user), { email: 'soon@example.org' })
    expect(await updateMe(world.ctx(user), { email: '' })).toMatchObject({
      email: null,
      email_verified: false,
      pending_email: null,
    })
    await expect(
      createUser(world.ctx(), { username: 'heir', passwordHash: null, email: user.email }),
    ).resolves.toBeTruthy()
  })

  test('what is left out is unchanged', async () => {
    const user = await given()
    await updateMe(world.ctx(user), { email: 'kept@example.org' })
    expect(await updateMe(world.ctx(user), { display_name: 'Ada Lovelace' })).toMatchObject({
      email: user.email,
      pending_email: 'kept@example.org',
      display_name: 'Ada Lovelace',
    })
    expect(await updateMe(world.ctx(user), {})).toMatchObject({ display_name: 'Ada Lovelace' })
  })
})
