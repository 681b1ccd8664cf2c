import { test as base, type BrowserContext, type Locator } from '@playwright/test'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { startServer } from '../fixtures/server.mjs'

export { expect, type Page } from '@playwright/test'

export type Server = Awaited<ReturnType<typeof startServer>>
/** A signed-in caller of the native API; what pages did is checked through it. */
export interface Caller {
  username: string
  // The answers are whatever the operation's schema says; each test names what it reads.
  native: <T = Record<string, unknown>>(method: string, path: string, body?: unknown) => Promise<T>
  cookie: () => string
}

/** One whose password is known, so that they can sign in by hand too. */
export interface Person extends Caller {
  password: string
}

interface Account {
  person: Person
  /** When their session began, in milliseconds since 1970. */
  signedInAt: number
}

interface WorkerFixtures {
  server: Server
  /** Made once for all tests of a worker: making one costs a process, and names of repos are fresh anyway. */
  ownerAccount: Account
  strangerAccount: Account
}
interface TestFixtures {
  /** The user of most tests. */
  owner: Person
  /** Another user. */
  stranger: Person
  /** The instance's bootstrap admin, signed in for the test: some operations want a sign-in of the last 10 minutes. */
  admin: Caller
  /** The owner, whose session the page carries. */
  person: Person
  /** A fresh user whose session the page carries, where a test changes the account itself. */
  newcomer: Person
  /** What the page logged as an error or asked of another host. Nothing may. */
  complaints: string[]
}

/** Faults that a browser prints for answers a test asks for, such as a 404. */
const expectedFaults = /Failed to load resource: the server responded with a status of 4\d\d/

/** Writes errors out: of an error that Firefox prints, Playwright learns its class alone. */
function writeOutErrors() {
  const print = console.error
  console.error = (...values) =>
    print(...values.map((value) => (value instanceof Error ? `${value.message}\n${value.stack}` : value)))
}

async function newAccount(server: Server, prefix: string): Promise<Account> {
  return { person: (await server.newPerson(prefix)) as Person, signedInAt: Date.now() }
}

/** Half of the 10 minutes after which some operations ask for another sign-in. */
const RECENT_MS = 5 * 60_000

/** The account's person, whose session is not old enough to be asked for another sign-in during a test. */
async function recentlySignedIn(server: Server, account: Account): Promise<Person> {
  const { username, password } = account.person
  if (Date.now() - account.signedInAt > RECENT_MS) {
    account.person = { ...((await server.login(username, password)) as Caller), password }
    account.signedInAt = Date.now()
  }
  return account.person
}

/** Every journey runs against the built server; every page is watched for policy violations and foreign requests. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  server: [
    // Playwright wants the argument taken apart, though nothing of it is needed.
    async ({ browserName: _browserName }, use) => {
      const server = await startServer({
        'telemetry.log_level': 'warn',
        // Where tests receive what webhooks and the audit log send, and where another hub is.
        'security.outbound_allow': 'webhook=127.0.0.1,upstream=127.0.0.1,audit=127.0.0.1',
      })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  ownerAccount: [async ({ server }, use) => use(await newAccount(server, 'pat')), { scope: 'worker' }],
  strangerAccount: [async ({ server }, use) => use(await newAccount(server, 'lou')), { scope: 'worker' }],
  owner: async ({ server, ownerAccount }, use) => use(await recentlySignedIn(server, ownerAccount)),
  stranger: async ({ server, strangerAccount }, use) => use(await recentlySignedIn(server, strangerAccount)),
  baseURL: async ({ server }, use) => use(server.url),
  complaints: [
    async ({ context, server }, use) => {
      const complaints: string[] = []
      context.on('console', (message) => {
        if (message.type() === 'error' && !expectedFaults.test(message.text()))
          complaints.push(`${message.text()} (on ${message.page()?.url()})`)
      })
      await context.addInitScript(writeOutErrors)
      context.on('weberror', (error) => complaints.push(String(error.error())))
      context.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(server.url) && !/^(data|blob):/.test(url)) complaints.push(`asked ${url}`)
      })
      await use(complaints)
      if (complaints.length > 0) throw new Error(`the page complained:\n${complaints.join('\n')}`)
    },
    { auto: true },
  ],
  admin: async ({ server }, use) => use((await server.login()) as Caller),
  person: async ({ server, context, owner }, use) => {
    await signIn(context, server.url, owner)
    await use(owner)
  },
  newcomer: async ({ server, context }, use) => {
    const newcomer = (await server.newPerson('new')) as Person
    await signIn(context, server.url, newcomer)
    await use(newcomer)
  },
})

/** The tests of a file whose server has settings of its own. `options` are those of `startServer`. */
export const testOn = (settings: Record<string, unknown>, options: { host?: string } = {}) =>
  test.extend<object, { server: Server }>({
    server: [
      async ({ browserName: _browserName }, use) => {
        const server = await startServer(settings, options)
        await use(server)
        await server.stop()
      },
      { scope: 'worker' },
    ],
  })

/** Gives a browser the session of a person, as signing in would. */
export async function signIn(context: BrowserContext, url: string, person: Caller) {
  const [name = '', value = ''] = person.cookie().split('=')
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }])
}

/** The address of the script that a module of `web/` is fetched in later, for `page.route`. */
export function scriptOf(module: string): string {
  const text = readFileSync(new URL('../../dist/web/.vite/manifest.json', import.meta.url), 'utf8')
  const file = (JSON.parse(text) as Record<string, { file: string }>)[module]?.file
  if (file === undefined) throw new Error(`${module} is no file of its own`)
  return `**/${file}`
}

/** A double click, both of whose presses come before the page can show anything of the first. */
export const pressTwice = (button: Locator) =>
  button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })

/** A name that no other test uses. */
export const fresh = (prefix: string) => `${prefix}-${randomBytes(3).toString('hex')}`

export interface GivenRepo {
  ns: string
  name: string
  /** Its address on the native API. */
  api: string
  /** Its page. */
  page: string
}

interface RepoOptions {
  type?: 'model' | 'dataset'
  visibility?: 'public' | 'private'
  ns?: string
  gated?: 'auto' | 'manual'
  /** Texts to commit, by path. */
  files?: Record<string, string>
}

/** A repo of the person with some files in it. */
export async function givenRepo(person: Person, options: RepoOptions = {}): Promise<GivenRepo> {
  const { type = 'model', visibility = 'public', ns = person.username, files = {}, gated } = options
  const name = fresh(type)
  await person.native('POST', '/repos', { type, ns, name, visibility, ...(gated ? { gated } : {}) })
  const api = `/repos/${type}s/${ns}/${name}`
  const page = `${type === 'dataset' ? '/datasets' : ''}/${ns}/${name}`
  const operations = Object.entries(files).map(([path, text]) => ({ op: 'add', path, text }))
  if (operations.length > 0)
    await person.native('POST', `${api}/commits`, { branch: 'main', title: 'Add files', operations })
  return { ns, name, api, page }
}
