import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient, type Fetch } from '../../../shared/client.ts'
import { system } from '../../core/access/index.ts'
import { buildApp } from '../../app/app.ts'
import { createAccount, newPassword } from '../../rooms/auth/index.ts'
import type { Deps } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { Seeder, Seeders } from './apply.ts'

/** Who a seeded data folder has beside its admin. */
const people = { alice: 'Alice Ng', bob: 'Bob Øst' } as const
type Name = keyof typeof people
type Passwords = Record<Name, string>

/**
 * Creates the people who are not there yet. Their passwords are made once and kept in `{data_dir}/seeded-passwords.json`
 * (0600), since the person who seeds wants to sign in as them. Answers the passwords.
 */
export async function seedPeople(deps: Deps): Promise<Passwords> {
  const file = join(deps.config.server.data_dir, 'seeded-passwords.json')
  const passwords = await kept(file)
  await writeFile(file, `${JSON.stringify(passwords, null, 2)}\n`, { mode: 0o600 })
  const { public_url: baseUrl } = deps.config.server
  const origin = { requestId: randomUUID(), ip: '', userAgent: 'seed', baseUrl }
  for (const [username, displayName] of Object.entries(people)) {
    const person = { username, displayName, password: passwords[username as Name], isAdmin: false }
    try {
      await createAccount({ ...deps, actor: system, origin, signal: deps.stopping }, person)
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'name-taken')) throw error
    }
  }
  return passwords
}

async function kept(file: string): Promise<Passwords> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text ? (JSON.parse(text) as Passwords) : { alice: newPassword('alice'), bob: newPassword('bob') }
}

/** The people as seeders of a server that runs in this process and listens nowhere. */
export async function openSeeders(deps: Deps, passwords: Passwords): Promise<Required<Seeders>> {
  const app = buildApp(deps, { state: 'ready', check: () => deps.db.check() })
  const server: Fetch = async (url, init) => app.request(url, init)
  const enter = (username: Name) =>
    signIn(deps.config.server.public_url, server, username, passwords[username])
  return { alice: await enter('alice'), bob: await enter('bob') }
}

/** Signs in; the session's cookie and CSRF token go with every later request. */
async function signIn(baseUrl: string, server: Fetch, username: string, password: string): Promise<Seeder> {
  const headers: Record<string, string> = {}
  const fetch: Fetch = async (url, init) => {
    const response = await server(url, { ...init, headers: { ...headers, ...init?.headers } })
    const [cookie] = response.headers.getSetCookie()
    if (cookie) headers['cookie'] = cookie.replace(/;.*/s, '')
    return response
  }
  const client = createClient({ baseUrl, fetch })
  const me = await client.login({ body: { username, password } })
  if ('ticket' in me) throw new Error(`${username} has a second factor`)
  headers['x-csrf-token'] = me.csrf_token ?? ''
  return { username, client, fetch, headers }
}
