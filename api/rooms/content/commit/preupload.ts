import type { Ctx } from '../../../core/ctx.ts'
import { validatePath, type Snapshot } from '../../../core/git/index.ts'
import { invalidField } from '../../../platform/problems/index.ts'
import { requireRepo, requireQuota, type RepoAddress } from '../../repos/index.ts'
import { isFolderAt, readAttributes, readText, type Text } from './attributes.ts'
import { Attributes, MAX_RULES_BYTES } from '../patterns/attributes.ts'
import { Effort, within } from '../patterns/effort.ts'
import { Ignore } from '../patterns/ignore.ts'
import { openRevision } from '../read/revision.ts'
import type { Turns } from '../../../platform/flow/index.ts'

export interface PreuploadQuery {
  /** The default branch when left out. */
  revision?: string
  /** The files are for a pull request, which every reader of the repo may open. */
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
  /** The repo's `.gitignore` leaves it out. */
  isIgnored: boolean
  /** What the path holds now: SHA-256 of a large file, else the git blob's oid. */
  oid?: string
}

/**
 * Says per file whether it belongs into LFS: by `.gitattributes`, else by `hubapi.regular_upload_max`; empty files never
 * do (hub-wire.md §7.1). Answers in the order asked. Problems `revision-not-found`, `quota-exceeded`, and
 * `validation-failed` for rules that take too long to match and for paths that are too long.
 */
export async function preupload(
  ctx: Ctx,
  address: RepoAddress,
  query: PreuploadQuery,
): Promise<FileAdvice[]> {
  const repo = await requireRepo(ctx, address, query.isPull ? 'repo.open-pull-request' : 'repo.commit')
  const { snapshot, commit } = await openRevision(ctx, repo.id, query.revision)
  const effort = new Effort(ctx)
  await requireShortPaths(query.files, effort.turn)
  const attributes = await attributesFor(snapshot, commit, query, effort)
  const ignored = query.gitIgnore ?? shown(await readText(snapshot, commit, '.gitignore', MAX_RULES_BYTES))
  const ignoreField = query.gitIgnore === undefined ? '.gitignore' : 'gitIgnore'
  const ignore = new Ignore(ignored ?? '')
  const advice: FileAdvice[] = []
  let newBytes = 0
  for (const { path, sizeBytes } of query.files) {
    await effort.turn.breathe()
    const isLarge =
      (await attributes.isLfs(path, effort)) || sizeBytes >= ctx.config.hubapi.regular_upload_max
    const present = await contentOf(snapshot, commit, path)
    const isIgnored = await within(ignoreField, () => ignore.ignores(path, effort))
    // A file of the same size is most likely the same, which a client sees by `oid` and leaves out.
    if (!isIgnored && present?.sizeBytes !== sizeBytes) newBytes += sizeBytes
    advice.push({
      path,
      mode: isLarge && sizeBytes > 0 ? 'lfs' : 'regular',
      isIgnored,
      ...(present ? { oid: present.oid } : {}),
    })
  }
  await requireQuota(ctx, repo.id, { bytes: newBytes })
  return advice
}

/** Other faults of a path are the commit's to name: the file may be one that is ignored. */
async function requireShortPaths(files: PreuploadQuery['files'], turn: Turns): Promise<void> {
  for (const [i, { path }] of files.entries()) {
    await turn.breathe()
    const fault = validatePath(path)
    if (fault?.code === 'path-too-long' || fault?.code === 'path-too-deep')
      throw invalidField(`files.${i}.path`, fault.message, fault.code)
  }
}

async function attributesFor(
  snapshot: Snapshot,
  commit: string,
  { gitAttributes, files }: PreuploadQuery,
  effort: Effort,
): Promise<Attributes> {
  if (gitAttributes !== undefined)
    return new Attributes([{ dir: '', text: gitAttributes, field: 'gitAttributes' }])
  const tree = {
    isFolder: (path: string) => isFolderAt(snapshot, commit, path),
    hasNewRules: false,
    read: async (path: string, isStored: boolean) =>
      isStored ? readText(snapshot, commit, path, MAX_RULES_BYTES) : undefined,
  }
  const paths = files.map(({ path }) => path)
  return new Attributes(await readAttributes(tree, paths, effort))
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
