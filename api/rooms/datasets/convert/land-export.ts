import type { Ctx } from '../../../core/ctx.ts'
import { commit, CommitBuilder, moveRefs, withFresh } from '../../../core/git/index.ts'
import type { RunningJob } from '../../../core/jobs/index.ts'
import { linkPointers, recordBytes } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import type { Tx } from '../../../stores/db/index.ts'
import { requireQuota } from '../../repos/index.ts'
import { exportPath, type MadeConfig } from './made.ts'
import type { StoredFiles } from './store-files.ts'

/** The ref that exports lie under; clients read it and cannot move it. */
export const EXPORT_REF = 'refs/convert/parquet'

const ATTRIBUTES = '*.parquet filter=lfs diff=lfs merge=lfs -text\n'

interface Export {
  repoId: string
  configs: readonly MadeConfig[]
  stored: StoredFiles
  /** Commit it was made of, 40-hex. */
  source: string
  /** Rows that go with it, in the transaction that moves the ref. */
  alongside: (tx: Tx, exportCommit: string | null) => Promise<void>
}

/**
 * Makes all files of a dataset's export one commit without parents, and moves the ref to it. Only while the job has its
 * lease; the objects become the repo's in the same transaction. Problem `quota-exceeded`.
 */
export async function landExport(ctx: Ctx, job: RunningJob, made: Export): Promise<void> {
  const { repoId, configs, stored, source, alongside } = made
  const files = configs.flatMap((config) =>
    config.splits.flatMap((split) =>
      split.files.map((file, i) => ({ ...file, path: exportPath(config.name, split, i) })),
    ),
  )
  if (files.length === 0) return dropExport(ctx, job, repoId, alongside)
  const pointers = files.map(({ sha256, sizeBytes }) => ({ sha256, sizeBytes }))
  const checkQuota = await requireQuota(ctx, repoId, { objects: stored.objects })
  const builder = new CommitBuilder(ctx.git, repoId)
  try {
    await builder.putBytes('.gitattributes', Buffer.from(ATTRIBUTES))
    for (const { path, sha256, sizeBytes } of files) await builder.putPointer(path, { sha256, sizeBytes })
    const result = await commit(ctx.git, builder, {
      ref: EXPORT_REF,
      base: null,
      author: { name: 'Arsenal', email: 'noreply@localhost', at: ctx.now(), tzMinutes: 0 },
      message: `Export ${source.slice(0, 12)} to Parquet`,
      via: 'convert',
      allowEmpty: true,
      write: (change) => job.write(change),
      alongside: async (tx, { sha }) => {
        await recordBytes(tx, ctx, stored.objects)
        const gone = await linkPointers(tx, repoId, pointers, ctx.now())
        if (gone.length > 0)
          throw new Problem('temporarily-unavailable', {
            detail: 'A data file was deleted while it was converted. The next attempt reads what is there.',
            retryAfterS: 5,
          })
        await checkQuota?.(tx)
        await alongside(tx, sha)
      },
    })
    if ('faults' in result)
      throw new Problem('validation-failed', {
        detail: `The names of the configs cannot be folders of the export: ${result.faults.map((fault) => JSON.stringify(fault)).join('; ')}`,
      })
    stored.objects.splice(0)
  } finally {
    await builder.dispose()
  }
}

/** There is nothing to export: an earlier export goes. */
async function dropExport(
  ctx: Ctx,
  job: RunningJob,
  repoId: string,
  alongside: Export['alongside'],
): Promise<void> {
  await withFresh(ctx.git, repoId, async (snapshot) => {
    const from = snapshot.findRef(EXPORT_REF)?.oid
    if (from === undefined) await job.write((tx) => alongside(tx, null))
    else
      await moveRefs(
        ctx.git,
        { snapshot, moves: [{ name: EXPORT_REF, from }], via: 'convert' },
        { write: (change) => job.write(change), after: (tx) => alongside(tx, null) },
      )
  })
}
