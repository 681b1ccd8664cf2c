// What an admin does on the command line when the page is out of reach: the built program beside a running server.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '../fixtures/database.mjs'
import { startProvider } from '../fixtures/provider.mjs'
import { login, mainJs, startServer } from '../fixtures/server.mjs'

const better = 'brisk-heron-vault-77'
let provider
let server
let ada

before(async () => {
  provider = await startProvider()
  const wrong = { ...provider.entry, id: 'wrong', client_secret: 'guessed' }
  const away = { ...provider.entry, id: 'away', issuer: 'http://127.0.0.1:9' }
  server = await startServer({ 'oidc.providers': JSON.stringify([provider.entry, wrong, away]) })
  provider.registerAt(server.url)
  ada = await server.newPerson('ada')
})
after(async () => {
  provider?.stop()
  await server?.stop()
})

/** Runs the program whatever comes of it. */
async function arsenal(...words) {
  const child = spawn(process.execPath, [mainJs, ...words, ...server.flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, out, err }
}
const listed = async (...words) => JSON.parse((await arsenal(...words, '--json')).out)

/** Waits for what the server notices a moment after the program did it. */
async function until(what, isSo) {
  const deadline = Date.now() + 60_000
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, `not so: ${what}`)
    await pause(100)
  }
}

const reaches = (secret, status) =>
  until(`the token is answered ${status}`, async () => {
    const headers = { Authorization: `Bearer ${secret}` }
    return (await fetch(`${server.url}/api/whoami-v2`, { headers })).status === status
  })

const isAdmin = () =>
  ada.native('GET', '/admin/users').then(
    () => true,
    (error) => {
      assert.match(error.message, /: 403 /)
      return false
    },
  )

describe('arsenal user', () => {
  test('list prints everyone, as a table and as JSON', async () => {
    const { code, out } = await arsenal('user', 'list')
    assert.equal(code, 0)
    for (const name of ['service-admin', ada.username]) assert.match(out, new RegExp(`^.*\\b${name}\\b`, 'm'))
    const names = (await listed('user', 'list')).map(({ username }) => username)
    assert.deepEqual(names.toSorted(), [ada.username, 'service-admin'].toSorted())
  })

  test('reset-password replaces the password, ends sessions, and revokes tokens when it is asked to', async () => {
    const secret = await ada.token()
    const file = join(server.dir, 'better.password')
    await writeFile(file, better)
    const words = ['user', 'reset-password', ada.username, '--password-file', file]
    const kept = await arsenal(...words, '--keep-tokens')
    assert.deepEqual(
      [kept.code, kept.out.split('\n')[0]],
      [0, `The password of ${ada.username} is replaced.`],
    )
    await assert.rejects(login(server.url, ada.username, ada.password), /401/)
    await assert.rejects(ada.native('GET', '/me/tokens'), /401/)
    ada = { ...ada, ...(await login(server.url, ada.username, better)) }
    await reaches(secret, 200)
    const { code, out } = await arsenal(...words, '--revoke-tokens')
    assert.deepEqual([code, /Revoked 1 token\./.test(out)], [0, true])
    await reaches(secret, 401)
    ada = { ...ada, ...(await login(server.url, ada.username, better)) }
  })

  test('remove-admin takes the right, and leaves it to the last admin', async () => {
    assert.equal((await arsenal('user', 'make-admin', ada.username)).code, 0)
    await until('the right begins', isAdmin)
    const taken = await arsenal('user', 'remove-admin', ada.username)
    assert.deepEqual([taken.code, taken.out], [0, `${ada.username} is no longer an instance admin.\n`])
    await until('the right ends', async () => !(await isAdmin()))
    const last = await arsenal('user', 'remove-admin', 'service-admin')
    assert.deepEqual([last.code, last.out], [1, ''])
    assert.match(last.err, /last enabled admin|last admin/i)
    const absent = await arsenal('user', 'remove-admin', 'missing')
    assert.equal(absent.code, 1)
    assert.match(absent.err, /missing/)
  })
})

describe('arsenal token', () => {
  test('list shows no secret, and revoke ends the token that is named', async () => {
    const [one, other] = [await ada.token('laptop'), await ada.token('server')]
    const { code, out } = await arsenal('token', 'list', '--user', ada.username)
    assert.equal(code, 0)
    assert.match(out, /\blaptop\b/)
    for (const secret of [one, other]) assert.ok(!out.includes(secret))
    assert.equal(
      (await arsenal('token', 'revoke', '--user', ada.username, 'laptop')).out,
      'Revoked 1 token.\n',
    )
    await reaches(one, 401)
    await reaches(other, 200)
    const [left] = await listed('token', 'list', '--user', ada.username)
    assert.equal((await arsenal('token', 'revoke', left.id)).code, 0)
    await reaches(other, 401)
    assert.equal((await arsenal('token', 'revoke')).code, 2)
  })
})

describe('arsenal oidc check', () => {
  test('finds a real provider in order', async () => {
    const { code, out } = await arsenal('oidc', 'check', 'corp')
    assert.equal(code, 0, out)
    assert.ok(!out.includes('FAIL'))
    assert.ok(out.includes(`Register this redirect URI: ${server.url}/auth/oidc/corp/callback`))
    for (const word of ['Discovery', 'Signatures', 'Keys: 1 at', 'Clock', 'knows client_id "arsenal"'])
      assert.ok(out.includes(word), word)
  })

  test('finds a wrong secret, a provider that is away, and one that is not configured', async () => {
    const wrong = await arsenal('oidc', 'check', 'wrong')
    assert.equal(wrong.code, 1)
    assert.match(wrong.out, /^FAIL {2}Client: client_id "arsenal" or its secret is refused/m)
    const away = await arsenal('oidc', 'check', 'away')
    assert.equal(away.code, 1)
    assert.match(away.out, /^FAIL {2}Discovery of http:\/\/127\.0\.0\.1:9/m)
    const absent = await arsenal('oidc', 'check', 'absent')
    assert.equal(absent.code, 1)
    assert.match(absent.err, /There is no provider "absent"\. Configured: corp, wrong, away\./)
  })
})

describe('arsenal audit verify', () => {
  let db
  const statement = (sql, ...args) => db.execute({ sql, args })
  before(async () => {
    db = openDatabase(server.dir)
    const admin = await server.login()
    // It is due every five minutes.
    await statement("UPDATE job_schedules SET next_at = 0 WHERE kind = 'audit.seal'")
    await until('rows are sealed', async () => (await admin.native('GET', '/admin/audit/chain')).checked >= 4)
  })
  after(() => db?.close())

  const verify = async () => {
    const { code, out, err } = await arsenal('audit', 'verify')
    return { code, err, faults: out.split('\n').filter((line) => /^(changed|removed|inserted): /.test(line)) }
  }
  const whole = { code: 0, err: 'The audit log is whole.\n', faults: [] }

  test('finds a row that was changed, removed or inserted, and nothing else', async () => {
    assert.deepEqual(await verify(), whole)
    const { rows } = await statement('SELECT seq, audit_id FROM audit_seals ORDER BY seq LIMIT 3')
    const [, { seq, audit_id: id }] = rows
    const [row] = (await statement('SELECT * FROM audit WHERE id = ?', id)).rows

    await statement("UPDATE audit SET target_name = 'somebody else' WHERE id = ?", id)
    const changed = await verify()
    assert.deepEqual([changed.code, changed.err], [1, 'The audit log has 1 faults.\n'])
    assert.deepEqual(changed.faults, [`changed: number ${seq}, row ${id}`])
    await statement('UPDATE audit SET target_name = ? WHERE id = ?', row.target_name, id)
    assert.deepEqual(await verify(), whole)

    await statement('DELETE FROM audit WHERE id = ?', id)
    const removed = await verify()
    assert.equal(removed.code, 1)
    assert.deepEqual(removed.faults, [`removed: number ${seq}, row ${id}`])
    const columns = Object.keys(row)
    const insert = `INSERT INTO audit (${columns.map((name) => `"${name}"`)}) VALUES (${columns.map(() => '?')})`
    const values = columns.map((name) => row[name])
    await statement(insert, ...values)
    assert.deepEqual(await verify(), whole)

    // Of two hours ago: what comes within an hour of the last seal is sealed late, since its transaction may have been slow.
    const forged = '00000000-0000-7000-8000-000000000000'
    const instead = { id: forged, at: Number(row.at) - 2 * 3_600_000 }
    await statement(insert, ...columns.map((name) => instead[name] ?? row[name]))
    const inserted = await verify()
    assert.equal(inserted.code, 1)
    assert.deepEqual(inserted.faults, [`inserted: row ${forged}`])
    await statement('DELETE FROM audit WHERE id = ?', forged)
    assert.deepEqual(await verify(), whole)
  })
})
