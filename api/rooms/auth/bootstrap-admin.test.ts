import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Deps } from '../../core/ctx.ts'
import { eachDatabase, givenUser, testConfig } from '../../testing.ts'
import { bootstrapAdmin } from './bootstrap-admin.ts'
import { login } from './login.ts'

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
