// The start line names the file with the generated password until the admin has one of their own.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { login, startServer } from '../fixtures/server.mjs'

const chosen = 'brisk-heron-vault-77'
let dir
let file
before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'arsenal-e2e-first-'))
  file = join(dir, 'bootstrap-admin-password')
})
after(() => rm(dir, { recursive: true, force: true }))

/** Starts a server on the folder, and stops it after `work`; answers the start lines that it printed about the admin. */
async function whileServing(work = async (_server) => undefined) {
  const seen = existsSync(join(dir, 'server.log')) ? readFileSync(join(dir, 'server.log'), 'utf8').length : 0
  const server = await startServer({ 'security.bootstrap_admin.password': '' }, { dir })
  try {
    await work(server)
  } finally {
    await server.stop()
  }
  return server
    .log()
    .slice(seen)
    .split('\n')
    .filter((line) => line.startsWith('Admin: '))
}

test('the start line names the file until its password is replaced, and no longer', async () => {
  const named = [`Admin: service-admin, password in ${file}`]
  assert.deepEqual(await whileServing(), named)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const generated = readFileSync(file, 'utf8').trim()
  const change = async ({ url }) => {
    const admin = await login(url, 'service-admin', generated)
    await admin.native('POST', '/me/password', { current_password: generated, new_password: chosen })
    assert.equal(existsSync(file), false)
  }
  assert.deepEqual(await whileServing(change), named)
  const signIn = async ({ url }) => {
    await assert.rejects(login(url, 'service-admin', generated), /401/)
    await login(url, 'service-admin', chosen)
  }
  assert.deepEqual(await whileServing(signIn), ['Admin: service-admin'])
  assert.equal(existsSync(file), false)
})
