import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git as runGit, gitText } from '../../../core/git/testing.ts'
import { formatPointer } from '../../../core/lfs/index.ts'

/** A request that a server of the tests was sent. */
export interface Asked {
  method: string
  url: string
  headers: IncomingMessage['headers']
}

/** A commit of these files for `git fast-import`, which answers the commit. */
function importOf(branch: string, parent: string | undefined, files: [string, string | Buffer][]): Buffer {
  const now = 'Ada <ada@example.org> now'
  const head = `commit refs/heads/${branch}\nmark :1\nauthor ${now}\ncommitter ${now}\ndata 7\nchange\n`
  const changes = files.map(([path, content]) => {
    const bytes = Buffer.from(content)
    const line = `M 100644 inline ${JSON.stringify(path)}\ndata ${bytes.length}\n`
    return Buffer.concat([Buffer.from(line), bytes, Buffer.from('\n')])
  })
  const from = parent === undefined ? '' : `from ${parent}\n`
  return Buffer.concat([Buffer.from(`${head}${from}`), ...changes, Buffer.from('\nget-mark :1\n')])
}

/** Answers in place of the hub, or lets it answer. */
export type Misbehaviour = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * A hub as the public one looks from outside: its API, real git (`git http-backend`) and files that lie on a server of
 * another address. Its repos are bare git repositories; large files are pointers in them.
 */
export class TestHub {
  readonly asked: Asked[] = []
  readonly cdnAsked: Asked[] = []
  /** Repos whose files need the token. */
  readonly gated = new Set<string>()
  token = 'good'
  /** Answers 404 at its addresses of git, as a proxy does. */
  hasGit = true
  /** Entries on a page of a tree. */
  pageEntries = 1000
  /** Names that repos had before: old name → new name. */
  readonly renamed = new Map<string, string>()
  /** Bytes by SHA-256. */
  readonly objects = new Map<string, Buffer>()
  misbehave: Misbehaviour | undefined
  cdnMisbehave: Misbehaviour | undefined
  #dir = ''
  readonly #servers: Server[] = []
  /** Text by object id, its last newline cut. */
  readonly #texts = new Map<string, string>()
  url = ''
  cdnUrl = ''

  async start(): Promise<void> {
    this.#dir = await mkdtemp(join(tmpdir(), 'arsenal-hub-'))
    this.url = await this.#listen(this.asked, (request, response) => this.#answer(request, response))
    this.cdnUrl = await this.#listen(this.cdnAsked, (request, response) =>
      this.#answerBytes(request, response),
    )
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections()
      server.close()
    }
    await rm(this.#dir, { recursive: true, force: true })
  }

  /** Commits files to a repo, which is made when it is not there; answers the commit. `large` become pointers. */
  async commit(
    repo: string,
    files: Record<string, string | Buffer>,
    { large = {}, branch = 'main' }: { large?: Record<string, Buffer>; branch?: string } = {},
  ): Promise<string> {
    const pointers = Object.entries(large).map(([path, bytes]): [string, Buffer] => {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      this.objects.set(sha256, bytes)
      return [path, Buffer.from(formatPointer({ sha256, sizeBytes: bytes.length }))]
    })
    const bare = this.#bare(repo)
    const heads = await this.#heads(bare)
    const parent = heads.get(branch) ?? heads.get('main')
    const stream = importOf(branch, parent, [...Object.entries(files), ...pointers])
    // One process, where a clone with a commit and a push are fourteen; its pack needs no other to unpack it.
    const flags = ['fast-import', '--quiet', '--force', '--date-format=now']
    return gitText(bare, ['-c', 'fastimport.unpackLimit=1', ...flags], stream)
  }

  /** The SHA-256 of bytes that a repo has as a large file. */
  shaOf(bytes: Buffer): string | undefined {
    return [...this.objects].find(([, other]) => other.equals(bytes))?.[0]
  }

  /** Makes a commit of the head's files whose author and committer are these bytes, as old histories have them. */
  async commitBy(repo: string, who: string): Promise<string> {
    const bare = this.#bare(repo)
    const [parent, tree] = (await gitText(bare, ['rev-parse', 'main', 'main^{tree}'])).split('\n')
    const text = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\nold\n`
    const commit = await gitText(bare, ['hash-object', '-t', 'commit', '--literally', '-w', '--stdin'], text)
    await gitText(bare, ['update-ref', 'refs/heads/main', commit])
    return commit
  }

  /** Each branch's commit; makes the repository when it is not there. */
  async #heads(bare: string): Promise<Map<string, string>> {
    if (!existsSync(bare)) {
      await mkdir(bare, { recursive: true })
      await gitText(bare, ['init', '-q', '--bare', '-b', 'main'])
      return new Map()
    }
    const format = '--format=%(refname:lstrip=2) %(objectname)'
    const lines = await gitText(bare, ['for-each-ref', format, 'refs/heads'])
    return new Map(lines.split('\n').map((line) => line.split(' ') as [string, string]))
  }

  /** Runs git in the bare repository of a repo. */
  git(repo: string, ...args: string[]): Promise<string> {
    return gitText(this.#bare(repo), args)
  }

  #bare(repo: string): string {
    return join(this.#dir, `${repo}.git`)
  }

  async #listen(
    asked: Asked[],
    answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  ): Promise<string> {
    const server = createServer((request, response) => {
      const { method = '', url = '', headers } = request
      asked.push({ method, url, headers })
      answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
    })
    this.#servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.misbehave?.(request, response)) return
    const url = new URL(request.url ?? '', this.url)
    const [, api, file, git] =
      /^\/api\/models\/([^/]+\/[^/]+)\/(?:revision|tree|commits|refs).*$|^\/([^/]+\/[^/]+)\/resolve\/.+$|^\/((?:datasets\/)?[^/]+\/[^/]+)\/(?:info\/refs|git-upload-pack)$/.exec(
        url.pathname,
      ) ?? []
    const named = api ?? file ?? git
    if (named === undefined) return void response.writeHead(404).end()
    const repo = this.renamed.get(named) ?? named
    if (repo !== named) {
      const location = url.pathname.replace(named, repo) + url.search
      return void response.writeHead(307, { Location: location }).end()
    }
    if (api) return this.#answerAnyApi(repo, url, response)
    if (file) return this.#answerFile(repo, url, request, response)
    if (!this.hasGit) return void response.writeHead(404, { 'Content-Type': 'text/html' }).end('<p>No page')
    return this.#answerGit(repo, url, request, response)
  }

  async #answerAnyApi(repo: string, url: URL, response: ServerResponse): Promise<void> {
    const [, kind = '', revision = ''] =
      /^\/api\/models\/[^/]+\/[^/]+\/(\w+)\/?(.*)$/.exec(url.pathname) ?? []
    if (kind === 'revision') return this.#answerApi(repo, url, response)
    const send = (body: unknown, headers = {}) =>
      void response
        .writeHead(200, { 'Content-Type': 'application/json', ...headers })
        .end(JSON.stringify(body))
    if (kind === 'refs') {
      const names = async (pattern: string) =>
        (await this.git(repo, 'for-each-ref', '--format=%(refname:short)', pattern))
          .split('\n')
          .filter(Boolean)
      const views = (all: string[]) => all.map((name) => ({ name: name.replace(/^tags\//, '') }))
      return send({ branches: views(await names('refs/heads')), tags: views(await names('refs/tags')) })
    }
    const sha = await this.#resolve(repo, decodeURIComponent(revision))
    if (sha === undefined) return void response.writeHead(404).end('{}')
    if (kind === 'commits') {
      const from = Number(url.searchParams.get('p') ?? 0)
      const limit = Number(url.searchParams.get('limit') ?? 50)
      const range = [`--skip=${from * limit}`, `-${limit + 1}`, sha]
      const said = await this.git(repo, 'log', '-z', '--format=%H%n%an%n%aI%n%s%n%b', ...range)
      const commits = said
        .split('\0')
        .filter(Boolean)
        .map((text) => {
          const [id, user, date, title, ...body] = text.split('\n')
          return { id, title, message: body.join('\n').trim(), date, authors: [{ user }] }
        })
      const next = new URL(url)
      next.searchParams.set('p', String(from + 1))
      return send(
        commits.slice(0, limit),
        commits.length > limit ? { Link: `<${next.href}>; rel="next"` } : {},
      )
    }
    return this.#answerTree(repo, sha, url, send)
  }

  async #answerTree(
    repo: string,
    sha: string,
    url: URL,
    send: (body: unknown, headers?: Record<string, string>) => void,
  ): Promise<void> {
    const lines = (await this.git(repo, 'ls-tree', '-r', '-t', '-l', sha)).split('\n')
    const from = Number(url.searchParams.get('cursor') ?? 0)
    const page = lines
      .slice(from, from + this.pageEntries)
      .map((line) => /^\d+ (\w+) ([0-9a-f]{40})\s+(\S+)\t(.*)$/.exec(line) ?? [])
    const textOf = await this.#read(
      repo,
      page.flatMap(([, kind, oid]) => (kind === 'blob' && oid ? [oid] : [])),
    )
    const entries = page.map(([, kind, oid = '', size, path = '']) => {
      if (kind === 'tree') return { type: 'directory', path, oid, size: 0 }
      const [, sha256, bytes] = /oid sha256:([0-9a-f]{64})\nsize (\d+)/.exec(textOf(oid)) ?? []
      const lfs = sha256 && { lfs: { oid: sha256, size: Number(bytes), pointerSize: Number(size) } }
      return { type: 'file', path, oid, size: Number(bytes ?? size), ...lfs }
    })
    const next = new URL(url)
    next.searchParams.set('cursor', String(from + this.pageEntries))
    const isLast = from + this.pageEntries >= lines.length
    send(entries, isLast ? {} : { Link: `<${next.href}>; rel="next"` })
  }

  async #answerApi(repo: string, url: URL, response: ServerResponse): Promise<void> {
    const revision = decodeURIComponent(url.pathname.split('/revision/')[1] ?? '')
    const sha = await this.#resolve(repo, revision)
    if (sha === undefined) return void response.writeHead(404, { 'X-Error-Code': 'RepoNotFound' }).end('{}')
    const lines = (await this.git(repo, 'ls-tree', '-r', sha)).split('\n')
    const listed = lines.map((line) => /^\d+ \w+ ([0-9a-f]{40})\t(.*)$/.exec(line) ?? [])
    const textOf = await this.#read(
      repo,
      listed.map(([, oid = '']) => oid),
    )
    const siblings = listed.map(([, oid = '', rfilename]) => {
      const text = textOf(oid)
      const [, sha256, size] = /oid sha256:([0-9a-f]{64})\nsize (\d+)/.exec(text) ?? []
      return sha256 === undefined
        ? { rfilename, size: text.length }
        : { rfilename, size: Number(size), lfs: { sha256, size: Number(size), pointerSize: text.length } }
    })
    const body = {
      id: repo,
      sha,
      private: false,
      gated: this.gated.has(repo) && 'manual',
      siblings,
      other: 1,
    }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  }

  /** Reads blobs as text, those never read before in one process: a process each takes longer than all else. */
  async #read(repo: string, oids: string[]): Promise<(oid: string) => string> {
    const missing = [...new Set(oids)].filter((oid) => !this.#texts.has(oid))
    if (missing.length > 0) {
      let rest = await runGit(this.#bare(repo), ['cat-file', '--batch'], `${missing.join('\n')}\n`)
      for (const oid of missing) {
        const start = rest.indexOf('\n') + 1
        const end = start + Number(rest.subarray(0, start).toString().split(' ')[2])
        this.#texts.set(oid, rest.subarray(start, end).toString().replace(/\n$/, ''))
        rest = rest.subarray(end + 1)
      }
    }
    return (oid) => this.#texts.get(oid) ?? ''
  }

  async #answerFile(
    repo: string,
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (this.gated.has(repo) && request.headers.authorization !== `Bearer ${this.token}`)
      return void response.writeHead(403, { 'X-Error-Code': 'GatedRepo' }).end()
    const [, revision = '', path = ''] = /\/resolve\/([^/]+)\/(.+)$/.exec(url.pathname) ?? []
    const named = `${revision}:${decodeURIComponent(path)}`
    const blob = await runGit(this.#bare(repo), ['cat-file', 'blob', named]).catch(() => undefined)
    const text = blob?.toString()
    if (blob === undefined || text === undefined)
      return void response.writeHead(404, { 'X-Error-Code': 'EntryNotFound' }).end()
    const sha256 = /oid sha256:([0-9a-f]{64})/.exec(text)?.[1]
    if (sha256 === undefined) return void response.writeHead(200, { 'X-Repo-Commit': revision }).end(blob)
    const headers = {
      Location: `${this.cdnUrl}/${sha256}?signed=1`,
      'X-Repo-Commit': revision,
      'X-Linked-Etag': `"${sha256}"`,
      'X-Linked-Size': String(this.objects.get(sha256)?.length ?? 0),
      'X-Xet-Hash': sha256,
      Link: '<https://cas.example/>; rel="xet-auth"',
    }
    response.writeHead(302, headers).end()
  }

  async #answerBytes(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.cdnMisbehave?.(request, response)) return
    const bytes = this.objects.get((request.url ?? '').slice(1, 65))
    if (!bytes) return void response.writeHead(404).end()
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (from === undefined) return void response.writeHead(200, { 'Content-Length': bytes.length }).end(bytes)
    const part = bytes.subarray(Number(from), Number(to) + 1)
    response
      .writeHead(206, {
        'Content-Length': part.length,
        'Content-Range': `bytes ${from}-${Number(from) + part.length - 1}/${bytes.length}`,
      })
      .end(part)
  }

  async #answerGit(
    repo: string,
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const user = request.headers.authorization
    if (this.gated.has(repo) && user !== `Basic ${Buffer.from(`arsenal:${this.token}`).toString('base64')}`)
      return void response.writeHead(401, { 'WWW-Authenticate': 'Basic' }).end()
    const child = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: this.#dir,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: 'uploadpack.allowAnySHA1InWant',
        GIT_CONFIG_VALUE_0: 'true',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        PATH_INFO: url.pathname.replace(repo, `${repo}.git`),
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
      },
    })
    request.pipe(child.stdin)
    const said = Buffer.concat(await child.stdout.toArray())
    const end = said.indexOf('\r\n\r\n')
    const headers = said.subarray(0, end).toString().split('\r\n')
    const fields = headers.map((line): [string, string] => {
      const [name = '', ...value] = line.split(': ')
      return [name, value.join(': ')]
    })
    const status = fields.find(([name]) => name === 'Status')?.[1]
    response.writeHead(
      status === undefined ? 200 : Number.parseInt(status, 10),
      Object.fromEntries(fields.filter(([name]) => name !== 'Status')),
    )
    response.end(said.subarray(end + 4))
  }

  async #resolve(repo: string, revision: string): Promise<string | undefined> {
    return this.git(repo, 'rev-parse', '--verify', '-q', `${revision}^{commit}`).catch(() => undefined)
  }
}
