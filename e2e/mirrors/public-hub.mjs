// A hub that answers as the public one does, header for header: an API, real git, and large files on a CDN of another host,
// whose addresses are signed, expire and take no credentials.
import { register } from 'tsx/esm/api'
import { answerApi } from './public-hub/api.mjs'
import { Cdn } from './public-hub/cdn.mjs'
import { answerFile } from './public-hub/files.mjs'
import { refuse } from './public-hub/answers.mjs'

register()
// Its types are those of the whole service, which these scripts are not checked with.
const { TestHub } = await import(new URL('../../api/rooms/mirrors/testing/hub.ts', import.meta.url).href)

/** Tokens that the hub knows: of a person who may read gated repos, and of one who may not. */
const knownToken = 'hf_KnownAtThePublicHubAlone0123456789'
const outsiderToken = 'hf_KnownThereAndOutsideOfGatedRepos01'

/** Settings of a server that may reach the CDN, which has an address of this machine. */
export const reachingCdn = { 'security.outbound_allow': 'upstream=127.0.0.1/32' }

/** What an answer of this hub has, as the public one: how much may be asked for, in its two headers. */
const limits = {
  RateLimit: '"api";r=498;t=211',
  'RateLimit-Policy': '"fixed window";"api";q=500;w=300',
  'X-Powered-By': 'huggingface-moon',
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** How it answers everything while it is not well. */
const moods = {
  silent: () => undefined,
  gone: (request) => request.socket.destroy(),
  throttled: (request, response) =>
    response.writeHead(429, { 'Retry-After': '5', 'Content-Type': 'application/json' }).end('{}'),
  /** Of a server in front of it. */
  unavailable: (request, response) =>
    response.writeHead(503, { 'Content-Type': 'text/html' }).end('<h1>Service Unavailable</h1>'),
}

export class PublicHub {
  token = knownToken
  outsiderToken = outsiderToken
  /** `silent`, `gone`, `throttled` or `unavailable`. */
  mood
  /** What the mood is of: `git`, `cdn`, `rest`, or all. */
  illAt
  /** What no client may do: each is a failure of the test. */
  faults = []
  /** Names that repos had before: old name → new name. */
  renamed = new Map()
  #hub = new TestHub()

  /** Without git it is a read-only API, as that of a proxy. */
  static async start({ hasGit = true } = {}) {
    const hub = new PublicHub()
    await hub.#start(hasGit)
    return hub
  }

  async #start(hasGit) {
    const inner = this.#hub
    inner.hasGit = hasGit
    inner.token = this.token
    await inner.start()
    this.cdn = new Cdn(inner, this.faults)
    inner.misbehave = (request, response) => this.#answers(request, response)
    inner.cdnMisbehave = (request, response) =>
      this.#isIll('cdn', request, response) || this.cdn.answer(request, response)
    // Another name than that of the CDN, so that nothing of one host may go to the other.
    this.url = inner.url.replace('127.0.0.1', 'localhost')
  }

  /** What it was asked: { method, url, headers } each. */
  get asked() {
    return this.#hub.asked
  }

  get gated() {
    return this.#hub.gated
  }

  /** Commits files to a repo (`ns/name` or `datasets/ns/name`) and answers the commit; `large` lie on the CDN. */
  commit(repo, files, large = {}) {
    return this.#hub.commit(repo, files, { large })
  }

  /** Runs git in the repository of a repo. */
  git(repo, ...args) {
    return this.#hub.git(repo, ...args)
  }

  /** The commit that a revision is, if there is one. */
  resolve(repo, revision) {
    return this.git(repo, 'rev-parse', '--verify', '-q', `${revision}^{commit}`).catch(() => undefined)
  }

  stop() {
    return this.#hub.stop()
  }

  #isIll(where, request, response) {
    const mood = where === (this.illAt ?? where) ? moods[this.mood] : undefined
    mood?.(request, response)
    return mood !== undefined
  }

  /** git of a gated repo is refused to those who may not read it; the inner hub asks all others for credentials. */
  #isOutside(isOutsider, { pathname }, response) {
    const repo = pathname.slice(1).replace(/\/(info\/refs|git-upload-pack)$/, '')
    if (!isOutsider || !this.gated.has(repo)) return false
    const why = `Access to model ${repo} is restricted and you are not in the authorized list.`
    response.writeHead(403, { 'Content-Type': 'text/plain' }).end(why)
    return true
  }

  /** Answers in place of the inner hub, whose git is all that is left to it. */
  #answers(request, response) {
    const url = new URL(request.url, this.url)
    const isGit = /\/(info\/refs|git-upload-pack)$/.test(url.pathname)
    if (this.#isIll(isGit ? 'git' : 'rest', request, response)) return true
    for (const [name, value] of Object.entries(limits)) response.setHeader(name, value)
    const { authorization } = request.headers
    const as = (token) =>
      isGit ? `Basic ${Buffer.from(`arsenal:${token}`).toString('base64')}` : `Bearer ${token}`
    if (![undefined, as(this.token), as(this.outsiderToken)].includes(authorization)) {
      this.faults.push(`the hub was sent the credentials ${authorization}`)
      refuse(response, 401, undefined, 'Invalid credentials in Authorization header')
      return true
    }
    const old = [...this.renamed.keys()].find((name) => url.pathname.includes(`/${name}`))
    if (old !== undefined) {
      const location = url.pathname.replace(old, this.renamed.get(old)) + url.search
      response.writeHead(307, { Location: location }).end(`Temporary Redirect. Redirecting to ${location}`)
      return true
    }
    if (isGit) return this.#isOutside(authorization === as(this.outsiderToken), url, response)
    const answer =
      url.pathname.startsWith('/api/') && !url.pathname.startsWith('/api/resolve-cache/')
        ? answerApi
        : answerFile
    const rights = { hasToken: authorization !== undefined, isMember: authorization === as(this.token) }
    answer(this, { request, response, url, ...rights }).catch((error) => {
      this.faults.push(`the hub failed: ${error.stack}`)
      response.destroy()
    })
    return true
  }
}
