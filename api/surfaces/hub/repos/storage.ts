import type { Context } from 'hono'
import { z } from '@hono/zod-openapi'
import { checkLfsCopy, deleteLfsFiles, listLfsFiles } from '../../../rooms/content/index.ts'
import type { Env } from '../../../core/http/env.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { listStorage } from '../../../rooms/repos/index.ts'
import { addressOf } from '../wire/address.ts'
import { bodyOf, fit } from '../wire/bodies.ts'
import { addressIn } from './manage.ts'
import { pageResponse, positionOf } from '../wire/pages.ts'
import { hubTime } from '../wire/params.ts'

const limit = 1000
const RepoPlace = z.object({ value: z.string(), id: z.string() })
const FilePlace = z.object({ at: z.number(), sha256: z.string() })

/** `GET /api/settings/repositories`, `GET /api/organizations/{o}/settings/repositories` */
async function sendStorage(c: Context<Env>): Promise<Response> {
  const position = positionOf(c)
  const after = position === undefined ? undefined : fit(RepoPlace, position)
  const { items, totalBytes, next } = await listStorage(c.var.ctx, c.req.param('org'), { after, limit })
  const lines = items.map(({ repo, bytes }) => ({
    id: `${repo.ns}/${repo.name}`,
    type: repo.type,
    updatedAt: hubTime(repo.updatedAt),
    visibility: repo.visibility,
    storage: bytes,
    storagePercent: totalBytes === 0 ? 0 : Math.round((bytes / totalBytes) * 1e4) / 100,
  }))
  return pageResponse(c, lines, next)
}

/** `GET /api/{t}/{repo}/lfs-files` */
async function sendLfsFiles(c: Context<Env>): Promise<Response> {
  const position = positionOf(c)
  const after = position === undefined ? undefined : fit(FilePlace, position)
  const { items, next } = await listLfsFiles(c.var.ctx, addressOf(c), { after, limit })
  const files = items.map(({ sha256, sizeBytes, addedAt, path, ref }) => ({
    fileOid: sha256,
    oid: sha256,
    // Where no commit was found in time there is none, and clients cannot do without one.
    filename: path ?? sha256,
    size: sizeBytes,
    pushedAt: hubTime(addedAt),
    ...(ref === undefined ? {} : { ref }),
  }))
  return pageResponse(c, files, next)
}

const maxDeletions = 1000
// What `lfs-files` calls `fileOid`.
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'use 64 lower-case hex digits')
const Deletions = z.object({
  deletions: z.object({ sha: z.array(Sha256), rewriteHistory: z.boolean().nullish() }),
})

/** `POST /api/{t}/{repo}/lfs-files/batch` */
async function deleteFiles(c: Context<Env>): Promise<Response> {
  const { sha, rewriteHistory } = (await bodyOf(c, Deletions)).deletions
  if (sha.length > maxDeletions)
    throw new Problem('invalid-request', { detail: `Name at most ${maxDeletions} files.` })
  await deleteLfsFiles(c.var.ctx, addressOf(c), sha, { rewriteHistory: rewriteHistory ?? false })
  return c.json({})
}

// huggingface_hub 2.4.0 sends 500 at a time (_commit_api.py, DUPLICATE_LFS_BATCH_SIZE).
const maxCopies = 1000
const Copies = z.object({
  target: z.object({ type: z.unknown().optional(), name: z.string() }),
  // Each with a `filename` and the `xetHash` of paths-info as well; neither proves anything.
  files: z.array(z.object({ sha256: Sha256 })),
})

const absent = 'This repo has no such large file any more. List its files again and repeat the copy.'

/** `POST /api/{t}/{repo}/lfs-files/duplicate`: what a commit to `target` is about to take over from this repo. */
async function checkCopy(c: Context<Env>): Promise<Response> {
  const { target, files } = await bodyOf(c, Copies, { size: 'usual' })
  if (files.length > maxCopies)
    throw new Problem('invalid-request', { detail: `Name at most ${maxCopies} files.` })
  const sha256s = files.map(({ sha256 }) => sha256)
  const missing = await checkLfsCopy(c.var.ctx, addressOf(c), addressIn(c, target), sha256s)
  return c.json({ failed: missing.map((sha256) => ({ sha256, error: absent })) })
}

const repo = '/api/:t{models|datasets}/:ns/:name'

/** What is stored, and the deletion and copies of large files (hub-wire.md §11.4). */
export const storageRows: ['GET' | 'POST', string, (c: Context<Env>) => Promise<Response>][] = [
  ['GET', '/api/settings/repositories', sendStorage],
  ['GET', '/api/organizations/:org/settings/repositories', sendStorage],
  ['GET', `${repo}/lfs-files`, sendLfsFiles],
  ['POST', `${repo}/lfs-files/batch`, deleteFiles],
  ['POST', `${repo}/lfs-files/duplicate`, checkCopy],
]
