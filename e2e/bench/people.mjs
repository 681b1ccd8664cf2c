// Signing in by password beside Argon2 alone, and pages of 100 000 users searched by prefix.
import { join } from 'node:path'
import { createClient } from '@libsql/client'
import { Argon2id } from 'oslo/password'
import pg from 'pg'
import { login, startServer } from '../fixtures/server.mjs'
import { onEngines } from './engines.mjs'
import { cpuSeconds, median, row, seconds } from './measure.mjs'

const count = 100_000
const ms = (value) => `${value.toFixed(1)} ms`
const p95 = (times) => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]

/** Rows of the statement below: the number of each user. */
const numbers = {
  sqlite: (total) =>
    `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${total}) select i from n)`,
  postgres: (total) => `generate_series(1, ${total}) as n(i)`,
}
const idOf = {
  sqlite: `printf('00000000-0000-7000-8000-%012d', i)`,
  postgres: `'00000000-0000-7000-8000-' || lpad(i::text, 12, '0')`,
}

/** Names that begin in different ways, as those of people do: `a7-person-1`, `b4-person-2`. */
function statements(engine, total) {
  const letter = engine === 'sqlite' ? `char(97 + i % 26)` : `chr(97 + i % 26)`
  const name = `${letter} || (i * 7919 % 100) || '-person-' || i`
  const [yes, no, time] =
    engine === 'sqlite' ? ['1', '0', '1700000000000'] : ['true', 'false', `to_timestamp(1700000000)`]
  return [
    `insert into namespaces (id, name, name_key, kind, display_name, created_at)
      select ${idOf[engine]}, ${name}, ${name}, 'user', 'Person Number ' || i, ${time} from ${numbers[engine](total)}`,
    `insert into users (id, email, email_key, email_verified, is_admin, disabled, created_at)
      select ${idOf[engine]}, i || '.' || ${name} || '@example.org', i || '.' || ${name} || '@example.org',
        ${yes}, ${no}, ${no}, ${time} from ${numbers[engine](total)}`,
    // Autovacuum does so within a minute of such a load; an index can answer alone from then on.
    engine === 'sqlite' ? 'analyze' : 'vacuum analyze',
  ]
}

/** Adds users to a database whose server is not running. */
export async function fillUsers(engine, url, total = count) {
  if (engine === 'sqlite') {
    const db = createClient({ url: `file:${url}` })
    for (const sql of statements(engine, total)) await db.execute(sql)
    db.close()
    return
  }
  const db = new pg.Client(url)
  await db.connect()
  for (const sql of statements(engine, total)) await db.query(sql)
  await db.end()
}

/** Beginnings of names and addresses: of many, of few, of none. */
const words = ['a', 'k4', 'k4-person-9', '77', '77.', '4711.', 'person-1', 'x99-person-99999', 'unknown-name']

async function usersPage(server, engine) {
  const admin = await server.login()
  const times = []
  const before = cpuSeconds(server.pid)
  for (let i = 0; i < 10 * words.length; i++) {
    const word = words[i % words.length]
    const took = await seconds(() => admin.native('GET', `/admin/users?q=${word}&limit=50`))
    if (i >= words.length) times.push({ word, took })
  }
  const cpuMs = ((cpuSeconds(server.pid) - before) / (10 * words.length)) * 1000
  const of = (word) => median(times.filter((each) => each.word === word).map(({ took }) => took * 1000))
  const slowest = words.toSorted((a, b) => of(b) - of(a))[0]
  const figure = p95(times.map(({ took }) => took)) * 1000
  return row(
    `page of 100 000 users searched by prefix, p95, ${engine}`,
    ms(figure),
    `slowest "${slowest}" ${ms(of(slowest))}; CPU of the server ${ms(cpuMs)} a page`,
    figure,
    '≤ 50 ms',
    figure <= 50,
  )
}

/** As `api/rooms/auth/passwords.ts` hashes. */
const argon2 = new Argon2id({ memorySize: 19 * 1024, iterations: 2, parallelism: 1 })

/** Each round signs in, then checks a password with Argon2 alone. */
async function signIn(server, engine) {
  const person = await server.newPerson('bench-sign-in')
  const hash = await argon2.hash(person.password)
  const [own, alone] = [[], []]
  const before = cpuSeconds(server.pid)
  for (let i = 0; i < 30; i++) {
    own.push(await seconds(() => login(server.url, person.username, person.password)))
    alone.push(await seconds(() => argon2.verify(hash, person.password)))
  }
  const cpuMs = ((cpuSeconds(server.pid) - before) / own.length) * 1000
  const figure = median(own.map((took, i) => (took - alone[i]) * 1000))
  return row(
    `sign-in by password, beside Argon2, ${engine}`,
    ms(median(own) * 1000),
    `Argon2 alone ${ms(median(alone) * 1000)}; CPU of the server ${ms(cpuMs)}, with Argon2`,
    figure,
    '≤ 60 ms',
    figure <= 60,
  )
}

export async function* peopleRows(dir) {
  for await (const { name, engine, settings, options, url } of onEngines(join(dir, 'people'))) {
    const onServer = async (measure) => {
      const server = await startServer(settings, options)
      try {
        return await measure(server)
      } finally {
        await server.stop()
      }
    }
    yield await onServer((server) => signIn(server, name))
    await fillUsers(engine, url)
    yield await onServer(async (server) => usersPage(server, name))
  }
}
