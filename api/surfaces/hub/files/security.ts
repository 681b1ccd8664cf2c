import type { Context } from 'hono'
import type { ScanStatus } from '../../../../shared/vocabulary.ts'
import type { Env } from '../../../core/http/env.ts'
import { openRevision } from '../../../rooms/content/index.ts'
import { requireRepo } from '../../../rooms/repos/index.ts'
import {
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

/** What clients are told of a file (indexing.md §3.5). */
export function fileStatus(verdict: FileVerdict) {
  const { row } = verdict
  const status = hubStatus(verdict.status)
  const imports = row?.imports.map(({ module, name, safety }) => ({ module, name, safety })) ?? []
  return {
    status,
    avScan: unscanned,
    pickleImportScan: {
      status: row && !row.checked ? 'unscanned' : status,
      pickleImports: imports,
      ...(row ? { version: `arsenal-scan/${row.version}` } : {}),
    },
    jFrogScan: unscanned,
    protectAiScan: unscanned,
    virusTotalScan: unscanned,
  }
}

/** What clients are told of a Repo: which of its files are not safe. */
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
  return c.json(repoStatus(scan), 200, { 'X-Repo-Commit': revision.commit })
}
