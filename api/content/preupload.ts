import { setImmediate as breathe } from 'node:timers/promises'
import type { Ctx } from '../ctx.ts'
import type { Snapshot } from '../git/index.ts'
import { requireRepo, requireRoom, type RepoAddress } from '../repos/index.ts'
import { Attributes, MAX_RULES_BYTES } from './attributes.ts'
import { readAttributes, readText, type Text } from './commit-attributes.ts'
import { Ignore } from './ignore.ts'
import { openRevision } from './revision.ts'

export interface PreuploadQuery {
  /** The default branch when left out. */
  revision?: string
  /** The files are for a pull request, which whoever reads the Repo may open. */
  isPull?: boolean
  files: { path: string; sizeBytes: number }[]
  /** Text that stands for the root's `.gitattributes`, when the client is about to change it. */
  gitAttributes?: string
  /** Text that stands for the root's `.gitignore`. */
  gitIgnore?: string
}

/** How one file should come. */
export interface FileAdvice {
  path: string
  mode: 'lfs' | 'regular'
  /** The Repo's `.gitignore` leaves it out. */
  isIgnored: boolean
  /** What the path holds now: SHA-256 of a large file, else the git blob's oid. */
  oid?: string
}

const PATHS_PER_TURN = 50

/**
 * Says per file whether it belongs into LFS: by `.gitattributes`, else by `hubapi.regular_upload_max`; empty files never
 * do (hub-wire.md §7.1). Answers in the order asked. Problems `revision-not-found`, `quota-exceeded`.
 */
export async function preupload(
  ctx: Ctx,
  address: RepoAddress,
  query: PreuploadQuery,
): Promise<FileAdvice[]> {
  const repo = await requireRepo(ctx, address, query.isPull ? 'repo.open-pull-request' : 'repo.commit')
  const { snapshot, commit } = await openRevision(ctx, repo.id, query.revision)
  const attributes = await attributesFor(snapshot, commit, query)
  const ignored = query.gitIgnore ?? shown(await readText(snapshot, commit, '.gitignore', MAX_RULES_BYTES))
  const ignore = new Ignore(ignored ?? '')
  const advice: FileAdvice[] = []
  let newBytes = 0
  for (const [i, { path, sizeBytes }] of query.files.entries()) {
    const isLarge = attributes.isLfs(path) || sizeBytes >= ctx.config.hubapi.regular_upload_max
    const present = await contentOf(snapshot, commit, path)
    const isIgnored = ignore.ignores(path)
    // A file of the same size is most likely the same, which a client sees by `oid` and leaves out.
    if (!isIgnored && present?.sizeBytes !== sizeBytes) newBytes += sizeBytes
    advice.push({
      path,
      mode: isLarge && sizeBytes > 0 ? 'lfs' : 'regular',
      isIgnored,
      ...(present ? { oid: present.oid } : {}),
    })
    if (i % PATHS_PER_TURN === 0) await breathe()
  }
  await requireRoom(ctx, repo.id, { bytes: newBytes })
  return advice
}

async function attributesFor(
  snapshot: Snapshot,
  commit: string,
  { gitAttributes, files }: PreuploadQuery,
): Promise<Attributes> {
  if (gitAttributes !== undefined) return new Attributes([{ dir: '', text: gitAttributes }])
  const read = (path: string) => readText(snapshot, commit, path, MAX_RULES_BYTES)
  return new Attributes(
    await readAttributes(
      read,
      files.map(({ path }) => path),
    ),
  )
}

const shown = (text: Text): string | undefined => (typeof text === 'object' ? text.text : undefined)

async function contentOf(
  snapshot: Snapshot,
  commit: string,
  path: string,
): Promise<{ oid: string; sizeBytes: number | undefined } | undefined> {
  const entry = await snapshot.entryAt(commit, path)
  if (entry?.kind !== 'file') return undefined
  const [facts] = await snapshot.describe([entry.oid])
  return {
    oid: facts?.pointer?.sha256 ?? entry.oid,
    sizeBytes: facts?.pointer?.sizeBytes ?? facts?.sizeBytes,
  }
}
