import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import type { CommitOperation } from '../content/index.ts'
import { commitAnywhere } from '../discussions/index.ts'
import { requestBytes } from '../http/bytes.ts'
import type { Env } from '../http/env.ts'
import { requireUnencoded } from '../http/inflated.ts'
import { Problem } from '../problems/index.ts'
import { pagePath } from '../repos/index.ts'
import { addressOf } from './address.ts'
import { fit } from './bodies.ts'
import { jsonLines } from './ndjson.ts'
import { flagOf } from './params.ts'

const Header = z.object({
  summary: z.string(),
  description: z.string().nullish(),
  parentCommit: z
    .string()
    .regex(/^[0-9a-f]{5,40}$/i, 'use 5 to 40 hex digits')
    .nullish(),
})
const Line = z.object({ key: z.string(), value: z.unknown().optional() })
const At = z.object({ path: z.string() })
const File = At.extend({
  content: z.string(),
  encoding: z.enum(['base64', 'utf-8']).default('utf-8'),
  oldPath: z.string().optional(),
})
const LfsFile = At.extend({
  algo: z.literal('sha256').default('sha256'),
  oid: z.string().regex(/^[0-9a-f]{64}$/, 'use 64 lower-case hex digits'),
  // Copies by the Python client leave it out.
  size: z.number().int().min(0).nullish(),
  oldPath: z.string().optional(),
})

// Node's fetch gives up after 300 s without headers; the Python client waits as long as it takes.
const maxWaitOfOthersMs = 240_000

/** One line's operations, in the order they apply (hub-wire.md §7.2). */
function operationsOf(line: unknown): CommitOperation[] {
  const { key, value } = fit(Line, line)
  if (key === 'file') {
    const { path, content, encoding, oldPath } = fit(File, value)
    const add = { op: 'add' as const, path, content: Buffer.from(content, encoding) }
    return oldPath === undefined || oldPath === path ? [add] : [{ op: 'delete', path: oldPath }, add]
  }
  if (key === 'lfsFile') {
    const { path, oid, size, oldPath } = fit(LfsFile, value)
    const add = {
      op: 'add-lfs' as const,
      path,
      sha256: oid,
      ...(typeof size === 'number' ? { sizeBytes: size } : {}),
    }
    return oldPath === undefined || oldPath === path ? [add] : [{ op: 'delete', path: oldPath }, add]
  }
  if (key === 'deletedFile') return [{ op: 'delete', path: fit(At, value).path }]
  if (key === 'deletedFolder') return [{ op: 'delete-folder', path: fit(At, value).path }]
  throw new Problem('invalid-request', { detail: `A line has the unknown key "${key}".` })
}

async function* operations(lines: AsyncIterable<unknown>): AsyncGenerator<CommitOperation> {
  for await (const line of lines) yield* operationsOf(line)
}

async function headerOf(lines: AsyncIterator<unknown>): Promise<z.infer<typeof Header>> {
  const first = await lines.next()
  const line = first.done ? undefined : fit(Line, first.value)
  if (line?.key !== 'header')
    throw new Problem('invalid-request', { detail: 'The first line must be the header.' })
  return fit(Header, line.value)
}

/** The branch that a `:rev` of a write names: short, `refs/heads/x`, `refs/pr/N`, or `HEAD`. */
function branchOf(rev: string): string | undefined {
  if (rev === 'HEAD') return undefined
  return rev.startsWith('refs/heads/') ? rev.slice('refs/heads/'.length) : rev
}

/** Hub clients tell a stale `parentCommit` (412) from a lost race (409), and look for this text in a failed delete. */
function asHubConflict(error: unknown, hasParent: boolean): unknown {
  if (!(error instanceof Problem)) return error
  if (error.code === 'commit-conflict' && hasParent)
    return new Problem('precondition-failed', {
      detail: 'The branch was updated since you opened this page. Please refresh and try again.',
      cause: error,
    })
  if (error.code === 'entry-not-found')
    return new Problem('entry-not-found', {
      detail: `A file with this name doesn't exist. ${error.detail ?? ''}`.trim(),
      members: error.members,
    })
  const isEmpty = error.errors?.some(({ code }) => code === 'nothing-changes') ?? false
  if (error.code === 'lfs-object-missing' || isEmpty)
    return new Problem('invalid-request', { detail: error.detail ?? error.title })
  return error
}

/** `POST /api/{t}/{repo}/commit/{rev}`: newline-delimited JSON, read as a stream. */
export async function createHubCommit(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const maxLineBytes = Math.ceil((ctx.config.git.max_blob_size * 4) / 3) + 2 ** 20
  requireUnencoded(c)
  const lines = jsonLines(requestBytes(c), maxLineBytes)
  const header = await headerOf(lines)
  const branch = branchOf(c.req.param('rev') ?? 'HEAD')
  try {
    const made = await commitAnywhere(ctx, addressOf(c), {
      createPullRequest: flagOf(c.req.query('create_pr')),
      ...(branch === undefined ? {} : { branch }),
      ...(header.parentCommit ? { parentCommit: header.parentCommit.toLowerCase() } : {}),
      ...(header.description ? { body: header.description } : {}),
      title: header.summary,
      operations: operations(lines),
      via: 'api',
      ...(ctx.origin.userAgent.includes('hf_hub/') ? {} : { maxWaitMs: maxWaitOfOthersMs }),
    })
    const page = `${ctx.origin.baseUrl}/${pagePath(made.repo)}`
    return c.json({
      success: true,
      commitOid: made.commit,
      commitUrl: `${page}/commit/${made.commit}`,
      hookOutput: '',
      ...(made.opened === undefined ? {} : { pullRequestUrl: `${page}/discussions/${made.opened}` }),
    })
  } catch (error) {
    throw asHubConflict(error, header.parentCommit !== undefined && header.parentCommit !== null)
  }
}
