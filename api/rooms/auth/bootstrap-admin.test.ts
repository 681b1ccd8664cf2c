import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { system } from '../../core/access/index.ts'
import type { Ctx, Deps } from '../../core/ctx.ts'
import { eachDatabase, givenUser, testConfig } from '../../testing.ts'
import { bootstrapAdmin } from './bootstrap-admin.ts'
import { changePassword } from './change-password.ts'
import { getMe } from './get-me.ts'
import { actorOfSession } from './principals.ts'
import { resetPassword } from './reset-password.ts'
import { login } from './testing.ts'

eachDatabase('bootstrap admin', (world) => {
  let dir = ''
  beforeEach(async () => {
    dir = await mkdtemp(join(world.dir, 'data-'))
    await world.db.write(async ({ q, t }) => {
      await q.delete(t.sessions)
      await q.delete(t.users)
      await q.delete(t.namespaces)
      await q.delete(t.throttles)
    })
  })

  const deps = (admin: Record<string, string> = {}, dataDir = dir): Deps => ({
    ...world.deps,
    config: testConfig(dataDir, { security: { bootstrap_admin: admin } }),
  })
  const signIn = (password: string, username = 'service-admin') =>
    login({ ...world.ctx({ kind: 'anonymous' }) }, { username, password })

  test('is made once, with a password that only the owner of the data folder reads', async () => {
    const { username, passwordFile = '' } = await bootstrapAdmin(deps())
    expect(username).toBe('service-admin')
    expect(passwordFile).toBe(join(dir, 'bootstrap-admin-password'))
    expect((await stat(passwordFile)).mode & 0o777).toBe(0o600)
    const password = (await readFile(passwordFile, 'utf8')).trim()
    await expect(signIn(password)).resolves.toBeTruthy()
    expect(await bootstrapAdmin(deps())).toEqual({ username, passwordFile })
    const { q, t } = world.db
    expect(await q.select({ admin: t.users.is_admin }).from(t.users)).toEqual([{ admin: true }])
  })

  test('servers that start at once make one, and its password is the one in the file', async () => {
    const started = await Promise.all(Array.from({ length: 4 }, () => bootstrapAdmin(deps())))
    const file = started[0]?.passwordFile ?? ''
    await expect(signIn((await readFile(file, 'utf8')).trim())).resolves.toBeTruthy()
    expect(await world.db.q.$count(world.db.t.users)).toBe(1)
  })

  test('of servers with folders of their own, only one keeps a password file', async () => {
    const dirs = [dir, await mkdtemp(join(world.dir, 'data-'))]
    const started = await Promise.all(dirs.map((dataDir) => bootstrapAdmin(deps({}, dataDir))))
    const files = started.flatMap(({ passwordFile }) => (passwordFile ? [passwordFile] : []))
    expect(files.length).toBe(1)
    await expect(signIn((await readFile(files[0] ?? '', 'utf8')).trim())).resolves.toBeTruthy()
  })

  test('takes the configured name, password and email', async () => {
    const admin = { username: 'root-of-all', password: 'quiet-otter-lamp-42', email: 'root@example.org' }
    expect(await bootstrapAdmin(deps(admin))).toEqual({ username: 'root-of-all' })
    await expect(signIn('quiet-otter-lamp-42', 'root@example.org')).resolves.toBeTruthy()
  })

  test('takes the password of password_file', async () => {
    const file = join(dir, 'secret')
    await writeFile(file, 'quiet-otter-lamp-42\n')
    await bootstrapAdmin(deps({ password_file: file }))
    await expect(signIn('quiet-otter-lamp-42')).resolves.toBeTruthy()
  })

  test('a password kept by a start that died is used', async () => {
    await writeFile(join(dir, 'bootstrap-admin-password'), 'left-by-an-earlier-start\n')
    await bootstrapAdmin(deps())
    await expect(signIn('left-by-an-earlier-start')).resolves.toBeTruthy()
  })

  /** The admin of a first start, signed in, with the file and the password in it. */
  async function givenFirstStart() {
    const { passwordFile = '' } = await bootstrapAdmin(deps())
    const password = (await readFile(passwordFile, 'utf8')).trim()
    const actor = await actorOfSession(deps(), await signIn(password))
    return { passwordFile, password, ctx: { ...world.ctx(actor), ...deps() } }
  }
  const isGenerated = async (ctx: Ctx) => (await getMe(ctx)).user.password_generated

  test('the file goes once the admin has chosen a password, and the start no longer names it', async () => {
    const { passwordFile, password, ctx } = await givenFirstStart()
    expect(await isGenerated(ctx)).toBe(true)
    await changePassword(ctx, { current_password: password, new_password: 'quiet-otter-lamp-42' })
    expect(await isGenerated(ctx)).toBe(false)
    await expect(stat(passwordFile)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await bootstrapAdmin(deps())).toEqual({ username: 'service-admin' })
  })

  test('the file goes when the password is reset on the command line', async () => {
    const { passwordFile, ctx } = await givenFirstStart()
    await resetPassword({ ...ctx, actor: system }, 'service-admin', 'quiet-otter-lamp-42')
    await expect(stat(passwordFile)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a file left by a process with another folder goes at its next start', async () => {
    const { password, ctx } = await givenFirstStart()
    const other = await mkdtemp(join(world.dir, 'data-'))
    await changePassword(ctx, { current_password: password, new_password: 'quiet-otter-lamp-42' })
    await writeFile(join(other, 'bootstrap-admin-password'), `${password}\n`)
    expect(await bootstrapAdmin(deps({}, other))).toEqual({ username: 'service-admin' })
    await expect(stat(join(other, 'bootstrap-admin-password'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a file of an older server stays while its password is in use', async () => {
    const { passwordFile, ctx } = await givenFirstStart()
    await world.db.write(({ q, t }) => q.update(t.users).set({ password_generated: false }))
    expect(await bootstrapAdmin(deps())).toEqual({ username: 'service-admin', passwordFile })
    expect(await isGenerated(ctx)).toBe(true)
  })

  test('a name that another user has ends the start, or there would be no admin', async () => {
    await givenUser(world, 'service-admin')
    await expect(bootstrapAdmin(deps())).rejects.toThrow()
    const { q, t } = world.db
    expect(await q.select({ admin: t.users.is_admin }).from(t.users)).toEqual([{ admin: false }])
  })

  test('a weak configured password ends the start', async () => {
    await expect(bootstrapAdmin(deps({ password: 'password1234' }))).rejects.toMatchObject({
      code: 'weak-password',
    })
    await rm(dir, { recursive: true })
    expect(await world.db.q.$count(world.db.t.users)).toBe(0)
  })
})
