import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Env } from '../../core/http/env.ts'
import { logProblem, problemHeaders, toProblem } from '../../core/http/problem-response.ts'
import type { Problem } from '../../platform/problems/index.ts'

const gitPath = /\/(?:info\/refs|git-upload-pack|git-receive-pack)$/

/** Whether an address is one of git's smart HTTP. */
export const isGitPath = (path: string): boolean => gitPath.test(path)

/** Makes git ask for credentials; offered alone, since git would choose among several. */
const challenge = 'Basic realm="arsenal", charset="UTF-8"'

function textOf(problem: Problem, c: Context<Env>): string {
  const { config } = c.var.ctx
  if (problem.code === 'bad-credentials')
    return 'The credentials are wrong. Use an access token as the password.'
  if (problem.code === 'gated')
    return `Access to the files of this repo is restricted. Visit ${config.server.public_url}${pageOf(c.req.path)} to ask for access.`
  return problem.detail ?? problem.title
}

const pageOf = (path: string) => path.replace(gitPath, '').replace(/\.git$/, '')

/** What an anonymous caller is refused may be there for somebody: git then asks for a name (git-storage.md §9). */
function statusOf(problem: Problem, isAnonymous: boolean): number {
  return isAnonymous && (problem.code === 'repo-not-found' || problem.code === 'gated') ? 401 : problem.status
}

/** A failure as git shows it: plain text, which it prints line by line behind `remote:`. */
export function gitErrorResponse(c: Context<Env>, error: unknown): Response {
  const problem = toProblem(error)
  logProblem(c, problem)
  const status = statusOf(problem, c.var.ctx.actor.kind === 'anonymous')
  return c.body(
    `${status === 401 ? unsignedText(problem, c) : textOf(problem, c)}\n`,
    status as ContentfulStatusCode,
    {
      ...problemHeaders(problem),
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      ...(status === 401 ? { 'WWW-Authenticate': challenge } : {}),
    },
  )
}

/** The same words for what is hidden and what is absent. */
function unsignedText(problem: Problem, c: Context<Env>): string {
  const isOwn = problem.code === 'bad-credentials' || problem.code === 'token-expired'
  return isOwn ? textOf(problem, c) : 'Sign in with your user name and an access token as the password.'
}
