import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Env } from '../../core/http/env.ts'
import { headerText, logProblem, problemHeaders, toProblem } from '../../core/http/problem-response.ts'
import type { Problem } from '../../platform/problems/index.ts'
import { scopeOf, tokenPath } from './address.ts'

/** Refusals that credentials could change. */
const isSignInFailure = ({ code }: Problem, isAnonymous: boolean) =>
  code === 'bad-credentials' ||
  code === 'token-expired' ||
  code === 'unauthenticated' ||
  // Hidden and absent look alike to all who have not signed in.
  (isAnonymous && (code === 'repo-not-found' || code === 'gated'))

/** The registry's answer to a failure: `{"error": …}`, which `ollama` prints of a 4xx other than 404 (indexing.md §6). */
export function registryError(c: Context<Env>, error: unknown): Response {
  const problem = toProblem(error)
  logProblem(c, problem)
  const { actor, config } = c.var.ctx
  const headers = problemHeaders(problem)
  const isSignIn = isSignInFailure(problem, actor.kind === 'anonymous')
  if (isSignIn && c.req.path !== tokenPath) {
    const realm = `${config.server.public_url}${tokenPath}`
    headers['WWW-Authenticate'] = `Bearer realm="${realm}",service="arsenal",scope="${scopeOf(c.req.path)}"`
  } else delete headers['WWW-Authenticate']
  const status = isSignIn ? 401 : problem.status
  const message = isSignIn && problem.code !== 'bad-credentials' ? signInHint(problem) : text(problem)
  return c.json({ error: message }, status as ContentfulStatusCode, {
    ...headers,
    'X-Error-Message': headerText(message),
  })
}

const text = ({ detail, title }: Problem) => detail ?? title

const signInHint = (problem: Problem) =>
  problem.code === 'token-expired'
    ? text(problem)
    : 'Sign in: save the key of ~/.ollama/id_ed25519.pub in your settings, under Ollama keys.'
