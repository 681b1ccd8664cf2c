import type { Context } from 'hono'
import type { ScanStatus } from '../../../../shared/vocabulary.ts'
import type { Env } from '../../../core/http/env.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { FoundImport } from '../../../core/scanning/index.ts'
import { clientCommit, openRevision, type ListedEntry } from '../../../rooms/content/index.ts'
import { requireRepo } from '../../../rooms/repos/index.ts'
import {
  fileImports,
  fileVerdicts,
  revisionScan,
  type FileVerdict,
  type RevisionScan,
  type ShownIssue,
} from '../../../rooms/scans/index.ts'
import { addressOf } from '../wire/address.ts'

/** A status in the hub's words (indexing.md §3.5). */
const hubStatus = (status: ScanStatus) =>
  status === 'pending' ? 'queued' : status === 'failed' ? 'error' : status

/** Scanners of others, which do not run here: never `safe`. */
const unscanned = { status: 'unscanned' }

/** Imports of all files of an answer; of files beyond that the worst alone is named. */
const MAX_IMPORTS = 20_000

/** What clients see of each file, by path (indexing.md §3.5). */
export async function fileStatuses(
  ctx: Ctx,
  files: readonly ListedEntry[],
): Promise<Map<string, FileStatus>> {
  const verdicts = await fileVerdicts(ctx, files)
  const imports = await fileImports(ctx.db, verdicts, MAX_IMPORTS)
  return new Map([...verdicts].map(([path, verdict]) => [path, fileStatus(verdict, imports.get(path) ?? [])]))
}

export type FileStatus = ReturnType<typeof fileStatus>

function fileStatus({ status: found, row }: FileVerdict, imports: readonly FoundImport[]) {
  const status = hubStatus(found)
  return {
    status,
    avScan: unscanned,
    pickleImportScan: {
      status: row && !row.checked ? 'unscanned' : status,
      pickleImports: imports.map(({ module, name, safety }) => ({ module, name, safety })),
      ...(row ? { version: `arsenal-scan/${row.version}` } : {}),
    },
    jFrogScan: unscanned,
    protectAiScan: unscanned,
    virusTotalScan: unscanned,
  }
}

/** What clients see of a repo: which of its files are not safe. */
export const repoStatus = ({ isDone, issues }: { isDone: boolean; issues: readonly ShownIssue[] }) => ({
  scansDone: isDone,
  filesWithIssues: issues.map(({ path, status }) => ({ path, level: hubStatus(status) })),
})

/** `GET /api/{t}/{repo}/scan` */
export async function describeHubScan(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const repo = await requireRepo(ctx, addressOf(c), 'repo.read')
  const revision = await openRevision(ctx, repo.id)
  const scan: RevisionScan = await revisionScan(ctx, revision)
  return c.json(repoStatus(scan), 200, { 'X-Repo-Commit': clientCommit(revision) })
}
