import { once } from 'node:events'
import { request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { buildApp } from '../../app/app.ts'
import { add, givenCommit } from '../../rooms/content/testing.ts'
import { givenPullRequest } from '../../rooms/discussions/testing.ts'
import { Git } from '../../core/git/index.ts'
import { refListeners } from '../../app/housekeeping.ts'
import { givenLarge } from '../hub/testing.ts'
import type { Repo } from '../../rooms/repos/index.ts'
import { silentLogger } from '../../platform/telemetry/index.ts'
import { eachDatabase, givenRepo, givenToken, givenUser } from '../../testing.ts'
import { listen } from './listen.ts'

/** Folders of the repo, each with a file of its own. */
const FOLDERS = 120
/** The client leaves during this read of an object. */
const LEAVES_AT = 30

interface Asked {
  method: 'GET' | 'POST'
  path: string
  body?: unknown
}

/** What walks through a repo for one request, by what it is. */
const walks: Record<string, (at: { repo: string; native: string; sha: string; pull: number }) => Asked> = {
  'a tree': ({ repo }) => ({ method: 'GET', path: `/api/models/${repo}/tree/main?recursive=true` }),
  'files of a folder': ({ native }) => ({ method: 'GET', path: `${native}/tree/main/flat` }),
  'paths to describe': ({ repo }) => ({
    method: 'POST',
    path: `/api/models/${repo}/paths-info/main`,
    body: { paths: paths() },
  }),
  'files of a repo': ({ repo }) => ({ method: 'GET', path: `/api/models/${repo}/revision/main?blobs=true` }),
  'files of listed repos': ({ repo }) => ({
    method: 'GET',
    path: `/api/models?author=${repo.split('/')[0]}&expand=siblings`,
  }),
  'files of listed repos with sizes': ({ repo }) => ({
    method: 'GET',
    path: `/api/models?author=${repo.split('/')[0]}&full=true&blobs=true`,
  }),
  'a history that is not in the index': ({ repo }) => ({
    method: 'GET',
    path: `/api/models/${repo}/commits/main`,
  }),
  'a commit': ({ native, sha }) => ({ method: 'GET', path: `${native}/commits/${sha}` }),
  'a file of a commit': ({ native, sha }) => ({
    method: 'GET',
    path: `${native}/commits/${sha}/diff?path=d1/file.txt`,
  }),
  'files of a pull request': ({ native, pull }) => ({
    method: 'GET',
    path: `${native}/discussions/${pull}/files`,
  }),
  'files to be uploaded': ({ repo }) => ({
    method: 'POST',
    path: `/api/models/${repo}/preupload/main`,
    body: { files: paths().map((path) => ({ path, size: 9, sample: '' })) },
  }),
  'large files': ({ repo }) => ({ method: 'GET', path: `/api/models/${repo}/lfs-files` }),
}
const paths = () => Array.from({ length: FOLDERS }, (_, i) => `d${i}/file.txt`)

eachDatabase('a client that leaves', (world) => {
  let owner: UserActor
  let repo: Repo
  let secret = ''
  let sha = ''
  let pull = 0
  let server: Server | undefined
  let git: Git | undefined

  beforeAll(async () => {
    owner = await givenUser(world, 'owner')
    secret = (await givenToken(world, owner)).secret
    repo = await givenRepo(world, owner)
    await givenLarge(world, owner, repo, 'zz/large.bin')
    const write = (text: string) =>
      paths().flatMap((path, i) => [add(path, `${text} ${i}`), add(`flat/${i}.txt`, `${text} flat ${i}`)])
    await givenCommit(world, owner, repo, write('one'))
    sha = (await givenCommit(world, owner, repo, write('two'))).commit
    const texts = Object.fromEntries(paths().map((path, i) => [path, `three ${i}`]))
    pull = await givenPullRequest(world, owner, repo, texts)
  })
  afterEach(async () => {
    server?.closeAllConnections()
    server?.close()
    await git?.close()
    server = git = undefined
  })

  /** A server that has read no object yet. `onRead` is called with the number of each read, which waits for it. */
  async function serve(onRead: (n: number, response: ServerResponse) => Promise<void> | undefined) {
    const own = new Git({ ...world.deps, refListeners })
    const errors: unknown[] = []
    const log = Object.assign(silentLogger(), { error: (what: unknown) => errors.push(what) })
    const app = buildApp({ ...world.deps, log, git: own }, { state: 'ready', check: async () => undefined })
    let reads = 0
    let held: Promise<void> | undefined
    let outgoing: ServerResponse | undefined
    const { store } = own
    const [peek, open] = [store.peek.bind(store), store.open.bind(store)]
    // What is not open is opened, and that may wait.
    store.peek = (id) => {
      held = outgoing && onRead(++reads, outgoing)
      return held ? undefined : peek(id)
    }
    store.open = async (row) => {
      await held
      return open(row)
    }
    let answered: Promise<unknown> = Promise.resolve()
    server = await listen(
      {
        fetch: (asked, env) => {
          outgoing = (env as { outgoing: ServerResponse }).outgoing
          const answer = Promise.resolve(app.fetch(asked, env))
          answered = answer
          return answer
        },
      },
      '127.0.0.1:0',
    )
    git = own
    return { reads: () => reads, errors, answered: () => answered }
  }

  function ask({ method, path, body }: Asked) {
    if (!server) throw new Error('no server listens')
    const { port } = server.address() as AddressInfo
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
    const sent = request({ port, host: '127.0.0.1', method, path, headers, agent: false })
    sent.on('error', () => undefined)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    return sent
  }

  async function forgetHistory() {
    const { git_commits, git_chains, git_changes, git_dirs } = world.db.t
    await world.db.write(async ({ q }) => {
      for (const table of [git_changes, git_dirs, git_chains, git_commits])
        await q.delete(table).where(eq(table.repo_id, repo.id))
    })
  }

  describe.each(Object.entries(walks))('%s', (_title, asking) => {
    const asked = () => {
      const names = `${repo.ns}/${repo.name}`
      return asking({ repo: names, native: `/api/service/v1/repos/models/${names}`, sha, pull })
    }

    // First, since lists of names that were read whole stay in memory.
    test('is read no further for one that leaves', async () => {
      await forgetHistory()
      const served = await serve((n, response) => {
        if (n !== LEAVES_AT) return undefined
        const closed = once(response, 'close')
        sent.destroy()
        return closed.then(() => undefined)
      })
      const sent = ask(asked())
      let status: number | undefined
      sent.once('response', (answer) => (status = answer.statusCode))
      await new Promise((resolve) => sent.once('close', resolve))
      await served.answered()
      expect(status).toBeUndefined()
      expect(served.reads()).toBe(LEAVES_AT)
      expect(served.errors).toEqual([])
    })

    test('is read to its end for a client that stays', async () => {
      await forgetHistory()
      const served = await serve(() => undefined)
      const [answer] = await once(ask(asked()), 'response')
      answer.resume()
      await once(answer, 'end')
      expect(answer.statusCode).toBe(200)
      expect(served.reads()).toBeGreaterThan(LEAVES_AT * 2)
    })
  })
})
