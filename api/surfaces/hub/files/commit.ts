import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import type { CommitOperation } from '../../../rooms/content/index.ts'
import { commitAnywhere, pullNumberOf } from '../../../rooms/discussions/index.ts'
import { requestBytes } from '../../../core/http/bytes.ts'
import type { Env } from '../../../core/http/env.ts'
import { requireUnencoded } from '../../../core/http/inflated.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { pagePath, requireRepo } from '../../../rooms/repos/index.ts'
import { addressOf } from '../wire/address.ts'
import { fit } from '../wire/bodies.ts'
import { jsonLines } from './ndjson.ts'
import { flagOf } from '../wire/params.ts'

const Header = z.object({
  // `copyFile` of @huggingface/hub 2.17.5 sends an empty one.
  summary: z.string().transform((text) => (text.trim() === '' ? 'Update files' : text)),
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

/** A summary and a description, which people write. */
const MAX_HEADER_BYTES = 64 * 1024

// Node's fetch fails after 300 s without headers; the Python client waits as long as it takes.
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
  // The public hub deletes a folder by this key too; clients that know no folders send it.
  if (key === 'deletedFile') return [{ op: 'delete', path: fit(At, value).path, isRecursive: true }]
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

/** Clients look for this sentence and add a hint of their own (hub-wire.md §7.2). */
const noSuchFile = "A file with this name doesn't exist"

/** Hub clients tell a stale `parentCommit` (412) from a lost race (409), and look for this text in a failed delete. */
function asHubConflict(error: unknown, hasParent: boolean): unknown {
  if (!(error instanceof Problem)) return error
  if (error.code === 'commit-conflict' && hasParent)
    return new Problem('precondition-failed', {
      detail: 'The branch was updated since you opened this page. Please refresh and try again.',
      cause: error,
    })
  // The refusal of a delete begins with these words already; that of a copy does not.
  if (error.code === 'entry-not-found' && !error.detail?.startsWith(noSuchFile))
    return new Problem('entry-not-found', {
      detail: `${noSuchFile}. ${error.detail ?? ''}`.trim(),
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
  const address = addressOf(c)
  const branch = branchOf(c.req.param('rev') ?? 'HEAD')
  const createPullRequest = flagOf(c.req.query('create_pr'))
  const isPull = createPullRequest || pullNumberOf(branch ?? '') !== undefined
  await requireRepo(ctx, address, isPull ? 'repo.open-pull-request' : 'repo.commit')
  requireUnencoded(c)
  const bytes = Math.ceil((ctx.config.git.max_blob_size * 4) / 3) + 2 ** 20
  const lines = jsonLines(requestBytes(c), { firstBytes: MAX_HEADER_BYTES, bytes })
  const header = await headerOf(lines)
  try {
    const made = await commitAnywhere(ctx, address, {
      createPullRequest,
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
