import { and, eq, inArray } from 'drizzle-orm'
import type { ScanStatus } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import type { FileProblem } from '../../../core/parsers/index.ts'
import { SCANNER_VERSION, type FoundImport } from '../../../core/scanning/index.ts'
import { describeEntry, openRevision, requireEntry, entryNotFound } from '../../content/index.ts'
import { requireRepo, type RepoAddress } from '../../repos/index.ts'
import { findFindings, keyOf } from '../content.ts'
import { repoScanTicket } from '../job/jobs.ts'
import { fileVerdicts } from './statuses.ts'

/** What the scan found in one file. */
export interface FileScan {
  path: string
  /** 40-hex. */
  commit: string
  status: ScanStatus
  /** `arsenal-scan/<version>`: what made it, or will. */
  scanner: string
  /** Whether the file is of a kind that is looked into. */
  isChecked: boolean
  imports: FoundImport[]
  problems: FileProblem[]
  /** Of a pending file: where the job is that will look at it; absent without one. */
  job?: 'queued' | 'running'
}

/**
 * What the scan found in a file. It needs no access to a gated repo's files: it tells what others should know before they
 * ask for it. Problems `revision-not-found`, `entry-not-found`, also for folders.
 */
export async function getFileScan(
  ctx: Ctx,
  address: RepoAddress,
  { revision, path }: { revision: string; path: string },
): Promise<FileScan> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const opened = await openRevision(ctx, repo.id, revision)
  const entry = await requireEntry(opened, path)
  if (entry.kind === 'directory' || entry.kind === 'submodule') throw entryNotFound(path, opened.commit)
  const described = await describeEntry(opened.snapshot, entry)
  const verdict = (await fileVerdicts(ctx, [{ ...entry, ...described }])).get(path)
  const at = { path, commit: opened.commit, status: verdict?.status ?? 'pending' }
  if (verdict?.row) {
    const { version, checked } = verdict.row
    const found = (await findFindings(ctx.db, [verdict.row])).get(keyOf(verdict.row))
    const { imports = [], problems = [] } = found ?? {}
    return { ...at, scanner: scannerOf(version), isChecked: checked, imports, problems }
  }
  const isPending = at.status === 'pending'
  const job = isPending ? await jobOf(ctx, repo.id) : undefined
  const empty = { scanner: scannerOf(SCANNER_VERSION), isChecked: isPending, imports: [], problems: [] }
  return { ...at, ...empty, ...(job && { job }) }
}

const scannerOf = (version: number) => `arsenal-scan/${version}`

async function jobOf({ db: { q, t } }: Ctx, repoId: string): Promise<FileScan['job']> {
  const { jobs } = t
  const rows = await q
    .select({ status: jobs.status })
    .from(jobs)
    .where(
      and(
        eq(jobs.repo_id, repoId),
        eq(jobs.kind, repoScanTicket.kind),
        inArray(jobs.status, ['queued', 'running']),
      ),
    )
  if (rows.length === 0) return undefined
  return rows.some(({ status }) => status === 'running') ? 'running' : 'queued'
}
