import { LRUCache } from 'lru-cache'
import { HIDDEN_REFS } from '../../../core/git/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { Db } from '../../../stores/db/index.ts'
import { selectedFiles } from '../pull/pull-files.ts'
import { resolvedFile, type UpstreamFileSource } from '../reading/file-source.ts'
import type { ReadMirror } from './mirror-of.ts'

/** A large file of a mirror whose bytes are at its upstream. */
export interface FarFile {
  repoId: string
  sha256: string
  sizeBytes: number
  /** Where it is there: a commit that has it, by the upstream's id, and its path. */
  commit: string
  path: string
  read: ReadMirror
  source: UpstreamFileSource
}

type Paths = Map<string, { path: string; sizeBytes: number }>

const MAX_COMMITS = 200
/** Commits of a mirror that are looked through for a file. */
const MAX_SEARCHED = 50

const pathsOf = (_: Db) => new LRUCache<string, Promise<Paths>>({ max: MAX_COMMITS })

/** Where a large file of a mirror is at its upstream; `undefined` where no commit that a ref names has it. */
export async function locate(ctx: Ctx, read: ReadMirror, sha256: string): Promise<FarFile | undefined> {
  const repoId = read.mirror.repo_id
  const snapshot = await ctx.git.open(repoId)
  const head = await snapshot.resolve('')
  const others = [...snapshot.listRefs(), ...snapshot.listRefs(`${HIDDEN_REFS}/`)]
  const commits = new Set([...(head ? [head.commit] : []), ...others.map(({ commit }) => commit)])
  for (const own of [...commits].slice(0, MAX_SEARCHED)) {
    const found = (await largeFilesAt(ctx, repoId, own)).get(sha256)
    if (!found) continue
    const commit = snapshot.upstreamCommit(own) ?? own
    const at = { repo: read.repo, commit, ...found }
    return { repoId, sha256, commit, ...found, read, source: resolvedFile(ctx, read.caller, at) }
  }
  return undefined
}

/** The large files at a commit by SHA-256. */
function largeFilesAt(ctx: Ctx, repoId: string, commit: string): Promise<Paths> {
  const kept = ctx.db.keep(pathsOf)
  const key = `${repoId} ${commit}`
  const known = kept.get(key)
  if (known) return known
  const listed = selectedFiles(ctx, repoId, commit, { all: true }).then(
    (files) => new Map(files.map(({ path, sha256, sizeBytes }) => [sha256, { path, sizeBytes }])),
  )
  kept.set(key, listed)
  listed.catch(() => kept.delete(key))
  return listed
}
