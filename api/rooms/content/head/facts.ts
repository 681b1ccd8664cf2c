import {
  changesBetween,
  MODE,
  type ListChanges,
  type KnownBlob,
  type Snapshot,
  type TreeChange,
} from '../../../core/git/index.ts'
import { loadVocabulary, papersIn, searchTextOf } from '../../../core/metadata/index.ts'
import { MAX_CARD_BYTES, parseCard } from '../cards/card.ts'
import type { HeadRecord } from '../../repos/index.ts'
import { TreeSums, type Sums } from './tree-sums.ts'

export const README = 'README.md'

const nothing: Sums = { bytes: 0, files: 0 }

type Known = (oid: string) => KnownBlob | undefined

/** A commit's first parent, and what differs from it. */
interface Changed {
  parent: string | undefined
  changes: ListChanges
}

/** What the facts of a move are read from. */
interface Sources {
  snapshot: Snapshot
  /** Blobs that are not stored yet. */
  known: Known
  /** Whether the folders that come are stored, so that they can be added up without listing them. */
  isStored: boolean
}

/**
 * Facts of a commit just made, from what it changes. Right after the first commit everything is counted again; from
 * then on the sums move by the changes.
 */
export async function factsOfCommit(made: Changed, snapshot: Snapshot, known: Known): Promise<HeadRecord> {
  return factsOfChanges(made, { snapshot, known, isStored: false })
}

/** Facts of a commit that takes another's place as the head, from what differs; counted again where there was none. */
export async function factsOfMove(
  snapshot: Snapshot,
  { from, to }: { from: string | undefined; to: string },
): Promise<HeadRecord> {
  if (from === undefined) return factsOfHead(snapshot, to)
  const changes = await changesBetween(snapshot, from, to)
  const known = () => undefined
  return factsOfChanges({ parent: from, changes }, { snapshot, known, isStored: true })
}

async function factsOfChanges(made: Changed, sources: Sources): Promise<HeadRecord> {
  const { snapshot, known } = sources
  const sums = new TreeSums(snapshot)
  const delta = await sumOfChanges(made.changes, sources, sums)
  const parent = made.parent === undefined ? undefined : await snapshot.findCommit(made.parent)
  const isEarly = !parent || parent.parents.length === 0
  const base = isEarly && parent ? await sums.of(parent.tree) : nothing
  const card = await changedCard(made.changes, snapshot, known)
  return {
    bytes: base.bytes + delta.bytes,
    files: base.files + delta.files,
    since: isEarly ? 'nothing' : 'parent',
    ...(card ? { card } : {}),
  }
}

/** Facts of a commit that is there already, counted again. */
export async function factsOfHead(snapshot: Snapshot, sha: string): Promise<HeadRecord> {
  const commit = await snapshot.findCommit(sha)
  if (!commit) return { bytes: 0, files: 0, since: 'nothing', card: await described(undefined, null) }
  const readme = await snapshot.entryAt(sha, README)
  const oid = readme?.kind === 'file' ? readme.oid : null
  const text = oid === null ? undefined : await readReadme(snapshot, oid)
  return {
    ...(await new TreeSums(snapshot).of(commit.tree)),
    since: 'nothing',
    card: await described(text, oid),
  }
}

async function sumOfChanges(
  changes: ListChanges,
  { snapshot, known, isStored }: Sources,
  sums: TreeSums,
): Promise<Sums> {
  const sumOf = async (side: TreeChange['old']): Promise<Sums> => {
    if (!side || side.mode === MODE.gitlink) return nothing
    const oid = side.oid.toString('hex')
    if (side.mode === MODE.tree) return sums.of(oid)
    const found = known(oid)
    if (found) return { bytes: found.sizeBytes, files: 1 }
    const [facts] = await snapshot.describe([oid])
    if (!facts) throw new Error(`a commit brings the blob ${oid}, of which nothing is known`)
    return { bytes: facts.pointer?.sizeBytes ?? facts.sizeBytes, files: 1 }
  }
  const enters = ({ kind }: TreeChange) => kind === 'M' || (kind === 'A' && !isStored)
  const total = { bytes: 0, files: 0 }
  for await (const change of changes({ enters })) {
    if (change.isFolder && enters(change)) continue
    const [before, after] = [await sumOf(change.old), await sumOf(change.new)]
    total.bytes += after.bytes - before.bytes
    total.files += after.files - before.files
  }
  return total
}

async function changedCard(
  changes: ListChanges,
  snapshot: Snapshot,
  known: Known,
): Promise<HeadRecord['card']> {
  let isTouched = false
  let oid: string | undefined
  for await (const { name, isFolder, new: now } of changes({ enters: () => false })) {
    if (name !== README || isFolder) continue
    isTouched = true
    oid ??= now?.oid.toString('hex')
  }
  if (!isTouched) return undefined
  if (oid === undefined) return described(undefined, null)
  const content = known(oid)?.content
  return described(content ? content.toString('utf8') : await readReadme(snapshot, oid), oid)
}

async function readReadme(snapshot: Snapshot, oid: string): Promise<string | undefined> {
  return (await snapshot.readStart(oid, MAX_CARD_BYTES))?.toString('utf8')
}

async function described(
  readme: string | undefined,
  oid: string | null,
): Promise<NonNullable<HeadRecord['card']>> {
  const [card, vocabulary] = await Promise.all([parseCard(readme ?? ''), loadVocabulary()])
  const { frontMatter = null, body } = card
  return { frontMatter, papers: papersIn(body), search: searchTextOf(oid, body), vocabulary }
}
