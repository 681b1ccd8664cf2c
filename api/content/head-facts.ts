import { setImmediate as breathe } from 'node:timers/promises'
import { changesBetween, type MadeCommit, type Snapshot, type TreeChange } from '../git/index.ts'
import { cardFacts, type CardFacts } from './card-facts.ts'
import { parseCard, type Card } from './card.ts'
import { MAX_README_BYTES } from './file-content.ts'
import type { NewBlob } from './staging.ts'
import type { RepoType } from '../../shared/vocabulary.ts'

/** What a move of the default branch does to the Repo's row. */
export interface HeadFacts {
  /** Sums over all files at the head; LFS files with their real size. `since`: to be added to what is there. */
  bytes: number
  files: number
  since: 'nothing' | 'parent'
  /** Present when the README changed. */
  card?: { frontMatter: Record<string, unknown> | null; facts: CardFacts }
}

export const README = 'README.md'

const CHANGES_PER_TURN = 200

type Known = (oid: string) => NewBlob | undefined

/**
 * Facts of a commit just made, from what it changes. Right after the first commit everything is counted anew; from
 * then on the sums move by the changes.
 */
export async function factsOfCommit(
  type: RepoType,
  made: Pick<MadeCommit, 'parent' | 'changes'>,
  snapshot: Snapshot,
  known: Known,
): Promise<HeadFacts> {
  const delta = await sumOfChanges(made.changes, snapshot, known)
  const parent = made.parent === undefined ? undefined : await snapshot.findCommit(made.parent)
  const isEarly = !parent || parent.parents.length === 0
  const base = isEarly && parent ? await sumOfTree(snapshot, parent.tree) : { bytes: 0, files: 0 }
  const card = await changedCard(type, made.changes, snapshot, known)
  return {
    bytes: base.bytes + delta.bytes,
    files: base.files + delta.files,
    since: isEarly ? 'nothing' : 'parent',
    ...(card ? { card } : {}),
  }
}

/** Facts of a commit that takes another's place as the head, from what differs; counted anew where there was none. */
export async function factsOfMove(
  type: RepoType,
  snapshot: Snapshot,
  { from, to }: { from: string | undefined; to: string },
): Promise<HeadFacts> {
  if (from === undefined) return factsOfHead(type, snapshot, to)
  const changes = await changesBetween(snapshot, from, to)
  return factsOfCommit(type, { parent: from, changes }, snapshot, () => undefined)
}

/** Facts of a commit that is there already, counted anew. */
export async function factsOfHead(type: RepoType, snapshot: Snapshot, sha: string): Promise<HeadFacts> {
  const commit = await snapshot.findCommit(sha)
  if (!commit) return { bytes: 0, files: 0, since: 'nothing', card: await described(type, undefined) }
  const readme = await snapshot.entryAt(sha, README)
  const text = readme?.kind === 'file' ? await readReadme(snapshot, readme.oid) : undefined
  return {
    ...(await sumOfTree(snapshot, commit.tree)),
    since: 'nothing',
    card: await described(type, text),
  }
}

async function sumOfTree(snapshot: Snapshot, tree: string): Promise<{ bytes: number; files: number }> {
  let bytes = 0
  let files = 0
  for await (const entry of snapshot.walk(tree)) {
    if (entry.kind === 'directory' || entry.kind === 'submodule') continue
    files++
    const [facts] = await snapshot.describe([entry.oid])
    bytes += facts?.pointer?.sizeBytes ?? facts?.sizeBytes ?? 0
  }
  return { bytes, files }
}

async function sumOfChanges(
  changes: TreeChange[],
  snapshot: Snapshot,
  known: Known,
): Promise<{ bytes: number; files: number }> {
  const sizeOf = async (side: TreeChange['old']): Promise<number | undefined> => {
    if (!side || side.mode === 0o40000 || side.mode === 0o160000) return undefined
    const oid = side.oid.toString('hex')
    const found = known(oid)
    if (found) return found.sizeBytes
    const [facts] = await snapshot.describe([oid])
    if (!facts) throw new Error(`a commit brings the blob ${oid}, of which nothing is known`)
    return facts.pointer?.sizeBytes ?? facts.sizeBytes
  }
  let bytes = 0
  let files = 0
  for (const [i, change] of changes.entries()) {
    if (i % CHANGES_PER_TURN === 0) await breathe()
    const before = await sizeOf(change.old)
    const after = await sizeOf(change.new)
    bytes += (after ?? 0) - (before ?? 0)
    files += (after === undefined ? 0 : 1) - (before === undefined ? 0 : 1)
  }
  return { bytes, files }
}

async function changedCard(
  type: RepoType,
  changes: TreeChange[],
  snapshot: Snapshot,
  known: Known,
): Promise<HeadFacts['card']> {
  const touched = changes.filter(({ dir, name, isFolder }) => dir === '' && name === README && !isFolder)
  if (touched.length === 0) return undefined
  const oid = touched.find((change) => change.new)?.new?.oid.toString('hex')
  if (oid === undefined) return described(type, undefined)
  const content = known(oid)?.content
  return described(type, content ? content.toString('utf8') : await readReadme(snapshot, oid))
}

async function readReadme(snapshot: Snapshot, oid: string): Promise<string | undefined> {
  const sizeBytes = await snapshot.blobSize(oid)
  if (sizeBytes === undefined || sizeBytes > MAX_README_BYTES) return undefined
  return (await snapshot.readBlob(oid, MAX_README_BYTES))?.toString('utf8')
}

async function described(
  type: RepoType,
  readme: string | undefined,
): Promise<NonNullable<HeadFacts['card']>> {
  const card: Card = parseCard(readme ?? '')
  return { frontMatter: card.frontMatter ?? null, facts: await cardFacts(type, card) }
}
