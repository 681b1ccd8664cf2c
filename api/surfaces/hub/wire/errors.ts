import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Env } from '../../../core/http/env.ts'
import { headerText, logProblem, problemHeaders, toProblem } from '../../../core/http/problem-response.ts'
import type { Problem, ProblemCode } from '../../../platform/problems/index.ts'
import { pagePath } from '../../../rooms/repos/index.ts'
import { addressesRepo, isLfsPath, repoInPath } from './paths.ts'

interface HubError {
  status: number
  /** `X-Error-Code`, which picks the client's exception class before the status does. */
  code?: 'RepoNotFound' | 'RevisionNotFound' | 'EntryNotFound' | 'GatedRepo'
  message: string
}

const noSuchRepo: HubError = { status: 401, code: 'RepoNotFound', message: 'Invalid username or password.' }
// This exact text keeps the client from reporting "repository not found" (hub-wire.md §1.3).
const badToken: HubError = { status: 401, message: 'Invalid credentials in Authorization header' }

type Mapped = Partial<Record<ProblemCode, (problem: Problem, c: Context<Env>) => HubError>>

const isAnonymous = (c: Context<Env>) => c.var.ctx.actor.kind === 'anonymous'

/** The public hub's words: people search for them, and the address is where access is requested. */
function gatedText(c: Context<Env>): string {
  const repo = repoInPath(c.req.path)
  if (!repo) return 'Access to this repo is restricted and you are not in the authorized list.'
  const page = `${c.var.ctx.config.server.public_url}/${pagePath(repo)}`
  return (
    `Access to ${repo.type} ${repo.ns}/${repo.name} is restricted and you are not in the authorized list. ` +
    `Visit ${page} to ask for access.`
  )
}

// hub-wire.md §2, "What we answer". A problem that is not listed keeps its own status and text.
const mapped: Mapped = {
  'repo-not-found': (_, c) =>
    isAnonymous(c) ? noSuchRepo : { status: 404, code: 'RepoNotFound', message: 'Repository not found' },
  unauthenticated: (problem, c) =>
    addressesRepo(c.req.path)
      ? noSuchRepo
      : { status: 401, message: problem.detail ?? 'Invalid username or password.' },
  'bad-credentials': () => badToken,
  'token-expired': () => badToken,
  'session-idle': () => badToken,
  'revision-not-found': (problem) => ({
    status: 404,
    code: 'RevisionNotFound',
    message: problem.detail ?? 'Invalid rev id',
  }),
  'entry-not-found': (problem) => ({
    status: 404,
    code: 'EntryNotFound',
    message: problem.detail ?? 'Entry not found',
  }),
  // At an upstream, no token of this server helps: so it is not 401.
  gated: (problem, c) => {
    const isElsewhere = problem.members?.['upstream'] !== undefined
    return {
      status: isAnonymous(c) && !isElsewhere ? 401 : 403,
      code: 'GatedRepo',
      message: isElsewhere ? describeToClient(problem) : gatedText(c),
    }
  },
  'repo-disabled': () => ({ status: 403, message: 'Access to this resource is disabled.' }),
}

function describe(problem: Problem): string {
  if (problem.detail) return problem.detail
  if (problem.errors?.length) return problem.errors.map((e) => `${e.field}: ${e.message}`).join('; ')
  return problem.title
}

/** The Python client puts a full stop behind the text of a 403 (2.2.0: utils/_http.py). */
function describeToClient(problem: Problem): string {
  const text = describe(problem)
  return problem.status === 403 ? text.replace(/\.$/, '') : text
}

/** The hub and LFS surfaces' answer to a failure: JSON for bodies, headers for HEAD (hub-wire.md §2). */
export function hubErrorResponse(c: Context<Env>, error: unknown): Response {
  const problem = toProblem(error)
  logProblem(c, problem)
  const { status, code, message } = mapped[problem.code]?.(problem, c) ?? {
    status: problem.status,
    message: describeToClient(problem),
  }
  const { commit, ...members } = problem.members
  const headers: Record<string, string> = {
    ...problemHeaders(problem),
    'X-Error-Message': headerText(message),
  }
  if (code) headers['X-Error-Code'] = code
  // The client remembers a file's absence under the commit it asked at.
  if (typeof commit === 'string') headers['X-Repo-Commit'] = commit
  const lfs = isLfsPath(c.req.path)
  headers['Content-Type'] = lfs ? 'application/vnd.git-lfs+json' : 'application/json'
  // git-lfs takes the first kind of challenge it knows from either (git-storage.md §9).
  if (lfs && status === 401)
    headers['LFS-Authenticate'] = headers['WWW-Authenticate'] = 'Basic realm="arsenal", charset="UTF-8"'
  const body = {
    error: message,
    ...(lfs ? { message, request_id: c.var.ctx.origin.requestId } : {}),
    ...members,
  }
  // Hono itself drops the body of an answer to HEAD.
  return c.body(JSON.stringify(body), status as ContentfulStatusCode, headers)
}
