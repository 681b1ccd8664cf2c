import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import { clientCommit, describePaths, listTree, type ListedEntry } from '../../../rooms/content/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { fileStatuses, type FileStatus } from './security.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepo } from '../../../rooms/repos/index.ts'
import { addressOf, revisionAndPath } from '../wire/address.ts'
import { bodyOf, fit } from '../wire/bodies.ts'
import { pageResponse, positionOf, queryOf } from '../wire/pages.ts'
import { countOf, flagOf, hubTime } from '../wire/params.ts'

// hub-wire.md §1.5: last commits are dear.
const pageEntries = { plain: 1000, expanded: 100 }
const Position = z.object({ commit: z.string(), after: z.string() })

/**
 * What the public hub answers where it withholds a chunk hash (huggingface_hub pull request 4595). Without some `xetHash`
 * clients refuse to copy a large file from one repo to another; they send it back to `lfs-files/duplicate`, and nothing
 * else reads it there. A real one would start downloads by chunks, and tell what others have sent.
 */
const WITHHELD_HASH = '*'.repeat(64)

/** What an expanded answer says beside the rest, by path; absent in others. */
type Expanded = ReadonlyMap<string, FileStatus> | undefined

function entryView({ kind, oid, sizeBytes, path, lfs, lastCommit }: ListedEntry, expanded: Expanded) {
  const security = kind === 'directory' ? undefined : expanded?.get(path)
  return {
    type: kind === 'directory' ? 'directory' : 'file',
    oid,
    size: sizeBytes,
    path,
    ...(lfs ? { lfs: { oid: lfs.sha256, size: lfs.sizeBytes, pointerSize: lfs.pointerBytes } } : {}),
    ...(security ? { securityFileStatus: security } : {}),
    ...(expanded && lastCommit
      ? {
          lastCommit: {
            id: lastCommit.sha,
            title: lastCommit.subject,
            date: hubTime(lastCommit.committer.at),
          },
        }
      : {}),
  }
}

/** `GET /api/{t}/{repo}/tree/{rev}[/{path}]` */
export async function listHubTree(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const query = queryOf(c)
  const address = addressOf(c)
  const repo = await requireRepo(ctx, address, 'repo.read')
  const { revision, path } = await revisionAndPath(c, repo.id, 5)
  const position = positionOf(c)
  const from = position === undefined ? undefined : fit(Position, position)
  const withLastCommits = flagOf(query.get('expand'))
  const page = await listTree(ctx, address, {
    revision: from?.commit ?? revision.commit,
    path,
    isRecursive: flagOf(query.get('recursive')),
    withLastCommits,
    limit: countOf(
      query,
      'limit',
      withLastCommits ? pageEntries.expanded : pageEntries.plain,
      pageEntries.plain,
    ),
    ...(from ? { after: from.after } : {}),
  })
  // The filesystem interface lists the parent when a file's path is no folder.
  if (page.kind === 'file')
    throw new Problem('entry-not-found', {
      detail: `"${path}" is a file.`,
      members: { commit: clientCommit(revision) },
    })
  const next = page.next === undefined ? undefined : { commit: page.commit, after: page.next }
  const expanded = withLastCommits ? await fileStatuses(ctx, page.entries) : undefined
  const items = page.entries.map((entry) => entryView(entry, expanded))
  const shown = clientCommit({ ...revision, commit: page.commit })
  return pageResponse(c, items, next, { 'X-Repo-Commit': shown })
}

const Asked = z.object({
  // A form repeats the field; JSON has a list.
  paths: z.union([z.array(z.string()), z.string().transform((path) => [path])]).default([]),
  expand: z.unknown().optional(),
})
const maxPaths = 10_000

/** `POST /api/{t}/{repo}/paths-info/{rev}`: what is known of each path; unknown ones are left out. */
export async function describeHubPaths(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const address = addressOf(c)
  const repo = await requireRepo(ctx, address, 'repo.read')
  const { revision } = await revisionAndPath(c, repo.id, 5)
  const { paths, expand } = await bodyOf(c, Asked, { size: 'usual' })
  if (paths.length > maxPaths)
    throw new Problem('invalid-request', { detail: `Ask for at most ${maxPaths} paths.` })
  const withLastCommits = flagOf(Array.isArray(expand) ? expand[0] : expand)
  const { entries } = await describePaths(ctx, address, {
    revision: revision.commit,
    paths,
    withLastCommits,
  })
  const expanded = withLastCommits ? await fileStatuses(ctx, entries) : undefined
  const found = entries.map((entry) => ({
    ...entryView(entry, expanded),
    // Copies ask without `expand`. Lists and expanded answers never name it: huggingface_hub downloads by chunks what the
    // tree names (1.28 and later: _snapshot_download.py), HfFileSystem.get_file what either names (2.2 and later).
    ...(entry.lfs && !withLastCommits ? { xetHash: WITHHELD_HASH } : {}),
  }))
  return c.json(found, 200, { 'X-Repo-Commit': clientCommit(revision) })
}
