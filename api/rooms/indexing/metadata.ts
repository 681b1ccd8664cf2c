import { eq } from 'drizzle-orm'
import type { IndexStatus } from '../../../shared/vocabulary.ts'
import type { Ctx } from '../../core/ctx.ts'
import {
  loadVocabulary,
  metadataOf,
  noFindings,
  parametersInName,
  papersIn,
  type Findings,
  type Metadata,
} from '../../core/metadata/index.ts'
import { openRevision, readCard } from '../content/index.ts'
import { requireRepo, withConverted, type Repo, type RepoAddress } from '../repos/index.ts'
import { readFindings } from './read-findings.ts'

/** What is known of a revision. */
export interface RevisionMetadata {
  commit: string
  status: IndexStatus
  card:
    | { frontMatter: Record<string, unknown> | null; problems: { code: string; message: string }[] }
    | undefined
  metadata: Metadata
  /** By the size in its name, where no file counts them. Lists do not narrow by it. */
  estimatedParameters: number | undefined
  findings: Findings
}

/**
 * What the card and the files of a revision say. That of the default branch's head is read from the database; files of
 * another revision are read now. Problems: those of reading the repo, and of its files for another revision.
 */
export async function describeRevision(
  ctx: Ctx,
  address: RepoAddress,
  rev: string | undefined,
): Promise<RevisionMetadata> {
  const repo = await requireRepo(ctx, address, 'repo.read')
  const revision = await openRevision(ctx, repo.id, rev)
  const { commit } = revision
  const isHead = commit === repo.headCommit
  const [card, vocabulary] = await Promise.all([readCard(revision), loadVocabulary()])
  const known = isHead ? await findFindings(ctx, repo) : undefined
  const findings = isHead
    ? await withConverted(ctx.db, repo.id, known ?? noFindings)
    : await readFindings(ctx, { repo, revision })
  const frontMatter = card?.frontMatter ?? null
  const papers = papersIn(card?.body ?? '')
  const metadata = metadataOf(repo.type, { frontMatter, papers }, findings, vocabulary)
  const isUncounted = repo.type === 'model' && metadata.parameters === null
  return {
    commit,
    status: isHead ? repo.indexStatus : 'ready',
    card: card && { frontMatter, problems: card.problems },
    metadata,
    estimatedParameters: isUncounted ? parametersInName(repo.name) : undefined,
    findings,
  }
}

async function findFindings({ db: { q, t } }: Ctx, repo: Repo): Promise<Findings | undefined> {
  const { repo_heads: h } = t
  const [row] = await q.select({ findings: h.findings }).from(h).where(eq(h.repo_id, repo.id))
  return row?.findings ?? undefined
}
