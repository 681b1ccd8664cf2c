import type { Ctx } from '../../../core/ctx.ts'
import {
  CommitBuilder,
  MODE,
  packCommit,
  validatePath,
  WrongSize,
  type Snapshot,
  type Spooled,
} from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { collect, fromChunks } from '../../../stores/storage/index.ts'
import { unavailable } from '../../upstreams/index.ts'
import { resolvedFile } from '../reading/file-source.ts'
import { listFiles, readCommit, type ListedFile } from '../reading/read-files.ts'
import type { Remote } from '../reading/remote.ts'

/** Small files that are read at once, in memory. */
const AT_ONCE = 8
const IN_MEMORY_BYTES = 1024 * 1024
/** Paths that an error names. */
const MAX_TOLD = 20

/**
 * Makes a commit of the files that an upstream without git lists at one of its commits, with that one's author and date.
 * Small files are read and checked by the git ids of the list; large ones become pointers. Problem `upstream-unavailable`
 * for bytes that are not those of the list.
 */
export async function makeSnapshot(
  ctx: Ctx,
  { caller, repo }: Remote,
  snapshot: Snapshot,
  { commit, parents, signal }: { commit: string; parents: string[]; signal: AbortSignal },
): Promise<{ commit: string; pack: Spooled }> {
  const files = await listFiles(ctx, caller, repo, commit)
  requirePaths(files)
  const small = files.filter(({ lfs }) => !lfs)
  const bytes = small.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  if (bytes > ctx.config.git.max_pack_size)
    throw new Problem('validation-failed', {
      detail: `The small files of ${repo.name} have ${bytes} bytes, more than git.max_pack_size, ${ctx.config.git.max_pack_size} bytes.`,
    })
  const builder = new CommitBuilder(ctx.git, snapshot.repoId)
  try {
    for (const { path, lfs } of files) if (lfs) await builder.putPointer(path, lfs)
    const here = await snapshot.describe(small.map(({ oid }) => oid))
    small.forEach(({ path, oid }, i) => here[i] && builder.putBlob(path, { oid, mode: MODE.file }))
    const absent = small.filter((_, i) => !here[i])
    const open = async ({ path, sizeBytes }: ListedFile) =>
      (await resolvedFile(ctx, caller, { repo, commit, path, sizeBytes }).open(undefined, signal)).body
    const put = async (file: ListedFile, body: AsyncIterable<Uint8Array>) => {
      const oid = await builder.putFile(file.path, body, file.sizeBytes).catch((error: unknown) => {
        throw error instanceof WrongSize ? unavailable(caller.upstream, error) : error
      })
      if (oid !== file.oid)
        throw unavailable(
          caller.upstream,
          new Error(`It lists ${file.path} with the git id ${file.oid}, but sent bytes of ${oid}.`),
        )
    }
    const [held, streamed] = [isHeld, (file: ListedFile) => !isHeld(file)].map((kind) => absent.filter(kind))
    for (let i = 0; i < (held ?? []).length; i += AT_ONCE) {
      const some = (held ?? []).slice(i, i + AT_ONCE)
      const bodies = await Promise.all(
        some.map(async (file) => collect(await open(file), 2 * IN_MEMORY_BYTES)),
      )
      for (const [n, file] of some.entries()) await put(file, fromChunks(bodies[n] ?? Buffer.alloc(0)))
    }
    for (const file of streamed ?? []) await put(file, await open(file))
    const made = await packCommit(snapshot, builder, {
      ...(await readCommit(ctx, caller, repo, commit)),
      parents,
    })
    if (!('faults' in made)) return made
    throw new Problem('validation-failed', {
      detail: `The upstream's files cannot be kept here: ${made.faults
        .slice(0, MAX_TOLD)
        .map(({ path }) => path)
        .join(', ')}`,
    })
  } catch (error) {
    await builder.dispose()
    throw error
  }
}

const isHeld = ({ sizeBytes }: ListedFile) => sizeBytes <= IN_MEMORY_BYTES

/** Before anything is fetched, and all of them at once. */
function requirePaths(files: readonly ListedFile[]): void {
  const faults = files.flatMap(({ path }) => {
    const fault = validatePath(path)
    return fault ? [`${JSON.stringify(path)} ${fault.message}`] : []
  })
  if (faults.length > 0)
    throw new Problem('validation-failed', {
      detail: `The upstream's files cannot be kept here: ${faults.slice(0, MAX_TOLD).join('; ')}`,
    })
}
