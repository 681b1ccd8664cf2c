import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'
import { validatePath, type PathEntry } from '../../../core/git/index.ts'
import {
  defineJob,
  enqueue,
  howLarge,
  howMany,
  type JobRow,
  type RunningJob,
} from '../../../core/jobs/index.ts'
import { openObjects, reserveKeys, type OpenObject } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'
import { requireDiskSpace, blobKeys, StoreError, type ByteSource } from '../../../stores/storage/index.ts'
import {
  describeEntries,
  entryNotFound,
  openRevision,
  requireEntry,
  type DescribedEntry,
} from '../read/revision.ts'
import { presentExport } from './result.ts'
import { zip, zipSizeBytes, type ZipEntry } from './zip-writer.ts'

/** Entries of one archive; its directory is held in memory. */
const MAX_FILES = 200_000
const BATCH = 1000

const Input = z.object({
  repo_id: z.string(),
  /** 40-hex. */
  sha: z.string(),
  /** The folder; empty for all of it. */
  path: z.string(),
  /** Folder in the archive that everything lies in, and its file name. */
  name: z.string(),
})

/** Packs a folder at a commit into one archive of stored files. */
export const zipExport = defineJob({
  kind: 'zip.export',
  maxAttempts: 3,
  unit: 'bytes',
  input: Input,
  title: ({ name, sha, path }) => `Zip of ${name}${path === '' ? '' : `/${path}`} at ${sha.slice(0, 7)}`,
  run: exportZip,
  present: async (ctx, job) => presentExport(ctx, job),
})

/** Queues an archive of a revision or one folder of it; an equal one under way for the same caller is answered instead. */
export async function createZip(
  ctx: Ctx,
  address: RepoAddress,
  { revision, path = '' }: { revision?: string; path?: string },
): Promise<JobRow> {
  const repo = await requireRepo(ctx, address, 'repo.zip')
  const opened = await openRevision(ctx, repo.id, revision)
  const entry = await requireEntry(opened, path)
  if (entry.kind !== 'directory') throw entryNotFound(path, opened.commit)
  const by = ctx.actor.kind === 'user' ? ctx.actor.id : ''
  const input = { repo_id: repo.id, sha: opened.commit, path, name: repo.name }
  const dedupKey = [repo.id, opened.commit, by, path].join('/')
  return ctx.db.write((tx) => enqueue(tx, ctx, zipExport, input, { dedupKey, repoId: repo.id }))
}

async function exportZip(
  ctx: Ctx,
  { repo_id, sha, path, name }: z.output<typeof Input>,
  job: RunningJob,
): Promise<Record<string, unknown>> {
  const opened = await openRevision(ctx, repo_id, sha)
  const folder = await requireEntry(opened, path)
  const described: DescribedEntry[] = []
  for (const entries of await batches(opened.snapshot.walk(folder.oid, { prefix: path })))
    described.push(...(await describeEntries(opened.snapshot, entries)))
  const files = await zipEntries(ctx, repo_id, described, (full) => `${name}/${relative(path, full)}`)
  const size = zipSizeBytes(files)
  await requireDiskSpace(ctx.blobs, size, 'the archive')
  job.log(`Packs ${howMany(files.length, 'file')} into an archive of ${howLarge(size)}.`)
  // Every attempt has a key of its own, since keys are never written twice.
  const key = blobKeys.export(job.id, `${job.attempt}.zip`)
  await job.write((tx) => reserveKeys(tx, ctx, [key]))
  const at = (await opened.snapshot.findCommit(sha))?.committer.at ?? ctx.now()
  await ctx.blobs.put(key, counted(zip(files, at), size, job), { sizeBytes: size, signal: job.signal })
  return { key, size, file_name: `${name}-${sha.slice(0, 7)}.zip` }
}

const relative = (folder: string, path: string): string =>
  folder === '' ? path : path.slice(folder.length + 1)

async function batches(walk: AsyncIterable<PathEntry>): Promise<PathEntry[][]> {
  const all: PathEntry[][] = [[]]
  let count = 0
  for await (const entry of walk) {
    if (entry.kind === 'directory' || entry.kind === 'submodule') continue
    if (++count > MAX_FILES)
      throw new Problem('validation-failed', { detail: `An archive may hold at most ${MAX_FILES} files.` })
    // Pushed histories may hold names that mean something else to the program that unpacks them.
    const fault = validatePath(entry.path)
    if (fault)
      throw new Problem('invalid-path', {
        detail: `"${entry.path}" cannot be put into an archive: it ${fault.message}.`,
      })
    const last = all.at(-1)
    if (last && last.length < BATCH) last.push(entry)
    else all.push([entry])
  }
  return all
}

async function zipEntries(
  ctx: Ctx,
  repoId: string,
  files: DescribedEntry[],
  nameOf: (path: string) => string,
): Promise<ZipEntry[]> {
  const sha256s = files.flatMap(({ lfs }) => (lfs ? [lfs.sha256] : []))
  const objects = await openObjects(ctx, repoId, sha256s)
  return files.map(({ path, oid, mode, sizeBytes, lfs }) => ({
    name: nameOf(path),
    sizeBytes,
    isExecutable: (mode & 0o111) !== 0,
    open: () => (lfs ? openLarge(objects.get(lfs.sha256), path) : openBlob(ctx, repoId, oid)),
  }))
}

/** The bytes of a large file. Where the store has lost them, the Problem says of which file. */
async function openLarge(object: OpenObject | undefined, path: string): Promise<ByteSource> {
  if (!object) throw new Error(`the large file ${path} was not opened`)
  try {
    return await object.open()
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'missing') throw error
    const detail = `The bytes of ${path} are missing here. Upload the file again, or have an admin restore them from a backup.`
    throw new Problem('lfs-object-missing', { detail, cause: error })
  }
}

/** Opened again for each file: a long archive outlives one view of the repo. */
async function openBlob(ctx: Ctx, repoId: string, oid: string): Promise<ByteSource> {
  const blob = await (await ctx.git.open(repoId, ctx)).openBlob(oid)
  if (!blob) throw new Problem('internal', { cause: new Error(`blob ${oid} is gone`) })
  return blob.source
}

async function* counted(source: ByteSource, total: number, job: RunningJob): ByteSource {
  let done = 0
  for await (const chunk of source) {
    yield chunk
    done += chunk.byteLength
    await job.progress(done, total)
  }
}
