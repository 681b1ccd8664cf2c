// Real git without this machine's configuration, against one server.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const person = { name: 'Ada', email: 'ada@example.org' }

/** A folder with its own home, and git to run in it. */
export async function openBench() {
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-e2e-git-'))
  const home = join(dir, 'home')
  await mkdir(home)
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: person.name,
    GIT_AUTHOR_EMAIL: person.email,
    GIT_COMMITTER_NAME: person.name,
    GIT_COMMITTER_EMAIL: person.email,
    LC_ALL: 'C',
  }
  /** Starts git; `done` resolves with its exit code and everything it said. */
  const start = (args, { cwd = dir, more = {} } = {}) => {
    const child = spawn('git', args, { cwd, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let said = ''
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (said += chunk))
    const done = once(child, 'close').then(([code]) => ({ code, stdout: stdout.trimEnd(), said }))
    return { child, done }
  }
  /** Runs git whatever comes of it. */
  const attempt = (args, options) => start(args, options).done
  /** Runs git and answers its output; throws when it fails. */
  const git = async (args, options) => {
    const { code, stdout, said } = await attempt(args, options)
    if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${said}`)
    return stdout
  }
  let n = 0
  return {
    dir,
    env,
    start,
    attempt,
    git,
    path: (name = `folder-${++n}`) => join(dir, name),
    /** A clone to work in. */
    async clone(url, flags = []) {
      const folder = join(dir, `clone-${++n}`)
      await git(['clone', '-q', ...flags, url, folder])
      return workIn(folder, { git, attempt })
    },
    close: () => rm(dir, { recursive: true, force: true }),
  }
}

function workIn(folder, { git, attempt }) {
  const here = { cwd: folder }
  const work = {
    folder,
    git: (...args) => git(args, here),
    attempt: (...args) => attempt(args, here),
    head: (revision = 'HEAD') => git(['rev-parse', revision], here),
    async write(files) {
      for (const [path, content] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true })
        await writeFile(join(folder, path), content)
      }
    },
    async commit(files, message = 'change') {
      await work.write(files)
      await git(['add', '-A'], here)
      await git(['commit', '-qm', message], here)
      return work.head()
    },
    /** Expects the push to be refused; answers what git said. */
    async refused(...args) {
      const { code, said } = await attempt(['push', ...args], here)
      if (code === 0) throw new Error(`git push ${args.join(' ')} was taken`)
      return said
    },
    fsck: () => git(['fsck', '--full', '--strict', '--no-dangling'], here),
  }
  return work
}

/** Many small files: name → content. */
export const manyFiles = (count) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`many/${i % 20}/file-${i}.txt`, `content ${i}\n`]),
  )

export const unique = (prefix) => `${prefix}-${randomBytes(3).toString('hex')}`

/** A repo of a new person's, and the ways to it. */
export async function givenRepo(server, more = {}) {
  const owner = await server.newPerson('gitty')
  const token = await owner.token()
  return { ...(await repoOf(server, owner, token, more)), owner, token }
}

/** @typedef {{ ns?: string, type?: string, visibility?: string }} RepoFields */

/** A new repo made by `owner`, addressed with `token`. */
export async function repoOf(
  server,
  owner,
  token,
  /** @type {RepoFields} */ { ns = owner.username, ...more } = {},
) {
  const name = unique('repo')
  await owner.native('POST', '/repos', { type: 'model', ns, name, visibility: 'public', ...more })
  return addressOf(server, owner, token, { ns, name })
}

export function addressOf(server, owner, token, { ns, name }) {
  const open = `${server.url}/${ns}/${name}`
  const api = `/repos/models/${ns}/${name}`
  return {
    ns,
    name,
    api,
    /** Without credentials. */
    open,
    url: open.replace('://', `://${owner.username}:${token}@`),
    get: (path) => owner.native('GET', `${api}${path}`),
    commit: (files, title = 'by the API') =>
      owner.native('POST', `${api}/commits`, {
        title,
        operations: Object.entries(files).map(([path, text]) => ({ op: 'add', path, text })),
      }),
  }
}
