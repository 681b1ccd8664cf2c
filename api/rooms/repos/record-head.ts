import { and, eq, sql } from 'drizzle-orm'
import {
  metadataOf,
  noFindings,
  type CardText,
  type Findings,
  type Metadata,
  type SearchText,
  type Vocabulary,
} from '../../core/metadata/index.ts'
import { withConverted } from './converted-facts.ts'
import { writeCardText } from './card-texts.ts'
import { changeMark, type Tables, type Tx } from '../../stores/db/index.ts'

/** What is known of the head of a default branch. */
export interface HeadRecord {
  /** Sums over all files; large ones with their real size. `since` the parent: to be added to what is recorded. */
  bytes: number
  files: number
  since: 'nothing' | 'parent'
  /** Present when the README changed. */
  card?: CardText & { search: SearchText; vocabulary: Vocabulary }
}

/** What the files of a head say, and by which version of the rules. */
export interface IndexRecord {
  /** 40-hex. */
  commit: string
  version: number
  findings: Findings
  /** Present when it was not recorded before. */
  search?: SearchText | undefined
}

interface DefaultBranch {
  repoId: string
  defaultBranch: string
}

/** Makes the row of a new repo, whose head holds nothing yet. */
export async function addHead(
  { q, t: { repo_heads } }: Tx,
  { id, type }: Pick<Tables['repos']['$inferSelect'], 'id' | 'type'>,
): Promise<void> {
  const nothing = { bytes: 0, files: 0, index_status: 'pending' as const, index_version: 0 }
  await q.insert(repo_heads).values({ repo_id: id, type, ...nothing })
}

/**
 * Records what the head of `defaultBranch` holds. A new card speaks at once, beside what was found in the files before.
 * `false` when another branch is the default one; then nothing changes.
 */
export async function recordHead(tx: Tx, of: DefaultBranch, head: HeadRecord): Promise<boolean> {
  const { bytes, files, since, card } = head
  const { q, t } = tx
  const { repo_heads } = t
  if (!(await holdDefault(tx, of))) return false
  const [row] = await q
    .update(repo_heads)
    .set({
      bytes: since === 'nothing' ? bytes : sql`${repo_heads.bytes} + ${bytes}`,
      files: since === 'nothing' ? files : sql`${repo_heads.files} + ${files}`,
      index_status: 'pending',
      ...(card && { card: card.frontMatter, papers: card.papers }),
    })
    .where(eq(repo_heads.repo_id, of.repoId))
    .returning({ type: repo_heads.type, findings: repo_heads.findings })
  if (!row) return false
  if (card) {
    const found = await withConverted(tx, of.repoId, row.findings ?? noFindings)
    await writeMetadata(tx, of.repoId, metadataOf(row.type, card, found, card.vocabulary))
    await writeCardText(tx, of.repoId, card.search)
  }
  return true
}

/** Records what the files of the head say. `false` when another branch is the default one; then nothing changes. */
export async function recordIndex(
  tx: Tx,
  of: DefaultBranch,
  { commit, version, findings, search }: IndexRecord,
  vocabulary: Vocabulary,
): Promise<boolean> {
  const { q, t } = tx
  const { repo_heads } = t
  if (!(await holdDefault(tx, of))) return false
  const [row] = await q
    .update(repo_heads)
    .set({ findings, indexed_commit: commit, index_version: version, index_status: 'ready' })
    .where(eq(repo_heads.repo_id, of.repoId))
    .returning({ type: repo_heads.type, card: repo_heads.card, papers: repo_heads.papers })
  if (!row) return false
  const card = { frontMatter: row.card, papers: row.papers ?? [] }
  const found = await withConverted(tx, of.repoId, findings)
  await writeMetadata(tx, of.repoId, metadataOf(row.type, card, found, vocabulary))
  if (search) await writeCardText(tx, of.repoId, search)
  return true
}

/** Makes the metadata of a dataset again, whose rows and columns have become known. The caller holds its repo. */
export async function refreshMetadata(tx: Tx, repoId: string, vocabulary: Vocabulary): Promise<void> {
  const { q, t } = tx
  const { repos, repo_heads: h } = t
  await q
    .update(repos)
    .set({ changed: changeMark(repos.changed) })
    .where(eq(repos.id, repoId))
  const [row] = await q
    .select({ type: h.type, findings: h.findings, card: h.card, papers: h.papers })
    .from(h)
    .where(eq(h.repo_id, repoId))
  if (!row) return
  const found = await withConverted(tx, repoId, row.findings ?? noFindings)
  const card = { frontMatter: row.card, papers: row.papers ?? [] }
  await writeMetadata(tx, repoId, metadataOf(row.type, card, found, vocabulary))
}

/** Notes how far the files of the head are known when they could not be read; what was found before stays. */
export async function recordIndexFailure(
  { q, t: { repo_heads } }: Tx,
  repoId: string,
  version: number,
  status: 'pending' | 'failed',
): Promise<void> {
  const set = { index_status: status, index_version: version }
  await q.update(repo_heads).set(set).where(eq(repo_heads.repo_id, repoId))
}

/** Has what is known of the files of a repo, or of all repos, count as made by no version of the rules. */
export async function forgetIndex({ q, t: { repo_heads } }: Tx, repoId?: string): Promise<void> {
  await q
    .update(repo_heads)
    .set({ index_version: 0 })
    .where(repoId === undefined ? undefined : eq(repo_heads.repo_id, repoId))
}

/** Locks the repo and marks it for lists; `false` when another branch is the default one. */
async function holdDefault(
  { q, t: { repos } }: Tx,
  { repoId, defaultBranch }: DefaultBranch,
): Promise<boolean> {
  const held = await q
    .update(repos)
    .set({ changed: changeMark(repos.changed) })
    .where(and(eq(repos.id, repoId), eq(repos.default_branch, defaultBranch)))
    .returning({ id: repos.id })
  return held.length > 0
}

async function writeMetadata(tx: Tx, repoId: string, metadata: Metadata): Promise<void> {
  const { q, t } = tx
  const { repo_heads, repo_tags, repo_facets, repo_dependencies } = t
  const { task, library, licence, parameters, contextLength, rows } = metadata
  const set = { task, library, licence, parameters: parameters ?? -1, context_length: contextLength, rows }
  await q.update(repo_heads).set(set).where(eq(repo_heads.repo_id, repoId))
  await q.delete(repo_tags).where(eq(repo_tags.repo_id, repoId))
  await q.delete(repo_facets).where(eq(repo_facets.repo_id, repoId))
  await q.delete(repo_dependencies).where(eq(repo_dependencies.repo_id, repoId))
  const tags = metadata.tags.map((tag) => ({ repo_id: repoId, tag }))
  const facets = Object.entries(metadata.facets).flatMap(([field, values]) =>
    [...new Set(values)].map((value) => ({
      repo_id: repoId,
      field: field as keyof Metadata['facets'],
      value,
    })),
  )
  const needs = metadata.needs.map(({ kind, type, target, revision, relation, path }) => {
    const names = { target, target_key: target.toLowerCase() }
    return {
      repo_id: repoId,
      kind,
      type,
      ...names,
      revision: revision ?? null,
      relation: relation ?? null,
      path,
    }
  })
  if (tags.length > 0) await q.insert(repo_tags).values(tags)
  if (facets.length > 0) await q.insert(repo_facets).values(facets)
  if (needs.length > 0) await q.insert(repo_dependencies).values(needs)
}
