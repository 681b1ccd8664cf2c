import type { RepoType } from '../../../shared/vocabulary.ts'
import { Problem } from '../../platform/problems/index.ts'
import { Turns, type Caller } from '../../platform/flow/index.ts'
import { collect, type ByteRange, type ByteSource } from '../../stores/storage/index.ts'
import {
  toCommit,
  toEntry,
  toRef,
  type CommitObject,
  type Entry,
  type PathEntry,
  type Ref,
  type Resolved,
} from './entries.ts'
import type { BlobFacts } from './packs/object-cache.ts'
import type { ObjectReader } from './packs/object-reader.ts'
import { isHexOid, oidFromHex, type Oid } from './objects/oid.ts'
import type { PackRow } from './packs/pack-row.ts'
import { HIDDEN_REFS } from './names.ts'
import type { RefRow, RepoState } from './repo-state.ts'
import { entryAt, walkTree, type WalkOptions } from './objects/tree-walk.ts'

/**
 * One repo as of one moment: refs and objects. It answers from memory where it can; an immutable commit whose trees are
 * cached costs neither SQL nor I/O. Usable for `git.pack_grace_period` after it was opened. All oids are 40-hex.
 */
export class Snapshot {
  readonly #state: RepoState
  readonly #findByPrefix: (prefix: string) => Promise<Oid | undefined>
  /** For this room's other verbs. */
  readonly reader: ObjectReader

  constructor(
    state: RepoState,
    reader: ObjectReader,
    findByPrefix: (prefix: string) => Promise<Oid | undefined>,
  ) {
    this.#state = state
    this.#findByPrefix = findByPrefix
    this.reader = reader
  }

  /** The same moment, read for a caller: once they have gone, walks and reads throw the reason of their signal. */
  readFor(caller: Caller): Snapshot {
    return this.readBy(this.reader.readFor(caller))
  }

  /** Who reads. */
  get caller(): Caller {
    return this.reader.caller
  }

  /** The same moment, its objects read by another reader, and perhaps with another beginning of its history. */
  readBy(reader: ObjectReader, shallow = this.shallow): Snapshot {
    return new Snapshot({ ...this.#state, shallow }, reader, this.#findByPrefix)
  }

  get repoId(): string {
    return this.#state.repoId
  }
  get repoType(): RepoType {
    return this.#state.repoType
  }
  /** Short name of the branch that `HEAD` means. */
  get defaultBranch(): string {
    return this.#state.defaultBranch
  }
  /** Rises with every ref move: equal numbers mean equal refs. */
  get refSeq(): number {
    return this.#state.refSeq
  }
  /** Live packs, newest first. */
  get packs(): readonly PackRow[] {
    return this.#state.packs
  }
  get pruneSeq(): number {
    return this.#state.pruneSeq
  }
  /** Commits whose parents are at the upstream of this mirror alone. */
  get shallow(): ReadonlySet<string> {
    return this.#state.shallow
  }

  /** Refs whose full name starts with `prefix`, by name. */
  listRefs(prefix = 'refs/'): Ref[] {
    return [...this.#state.refs.values()].filter(({ name }) => name.startsWith(prefix)).map(toRef)
  }

  findRef(name: string): Ref | undefined {
    const row = this.#state.refs.get(name)
    return row && toRef(row)
  }

  /**
   * The commit a revision names, in this order: empty or `HEAD`, a full ref name, a branch, a tag, 40 hex digits of a
   * commit held here, 40 hex digits that the upstream of a mirror has for one, a unique prefix of at least 7 hex digits.
   */
  async resolve(revision = ''): Promise<Resolved | undefined> {
    const names =
      revision === '' || revision === 'HEAD' ? [`refs/heads/${this.defaultBranch}`] : refNames(revision)
    for (const name of names) {
      const ref = this.findRef(name)
      if (ref) return { commit: ref.commit, ref: name }
    }
    if (isHexOid(revision)) {
      if (await this.#hasCommit(revision)) return { commit: revision }
      const kept = this.findRef(`${HIDDEN_REFS}/${revision}`)
      return kept && { commit: kept.commit }
    }
    if (!/^[0-9a-f]{7,39}$/.test(revision)) return undefined
    // The index may still tell of a commit that was pruned.
    const found = (await this.#findByPrefix(revision))?.toString('hex')
    return found !== undefined && (await this.#hasCommit(found)) ? { commit: found } : undefined
  }

  async #hasCommit(sha: string): Promise<boolean> {
    return (await this.reader.findCommit(oidFromHex(sha))) !== undefined
  }

  /** The id that the upstream of a mirror has for a commit which was made here; `undefined` where both have the same. */
  upstreamCommit(commit: string): string | undefined {
    return upstreamCommits(this.#state.refs).get(commit)
  }

  /** `undefined` when the repo holds no such commit. */
  async findCommit(sha: string): Promise<CommitObject | undefined> {
    const commit = isHexOid(sha) ? await this.reader.findCommit(oidFromHex(sha)) : undefined
    return commit && toCommit(sha, commit)
  }

  /** When a commit was made; `undefined` when the repo holds no such commit. A HEAD of a file asks for no more of it. */
  async findCommitDate(sha: string): Promise<Date | undefined> {
    return (await this.reader.findCommit(oidFromHex(sha)))?.committer.at
  }

  /** Message of the annotated tag `oid`; `undefined` when it is none. */
  async findTagMessage(oid: string): Promise<string | undefined> {
    return (await this.reader.findTag(oidFromHex(oid)))?.message
  }

  /** The entry at `path` of a commit; the root folder for the empty path. */
  async entryAt(sha: string, path: string): Promise<Entry | undefined> {
    const commit = await this.reader.findCommit(oidFromHex(sha))
    const entry = commit && (await entryAt(this.reader.loadTree, commit.tree, path))
    return entry && toEntry(entry)
  }

  /** Up to `limit` entries of a tree behind the entry named `after`, in git's order; `next` is the `after` of the next page. */
  async listTree(
    tree: string,
    { after, limit }: { after?: string; limit: number },
  ): Promise<{ entries: Entry[]; total: number; next?: string }> {
    const opened = await this.reader.loadTree(oidFromHex(tree))
    const from = after === undefined ? 0 : opened.positionBehind(after)
    const entries: Entry[] = []
    for (let i = from; i < Math.min(opened.length, from + limit); i++) entries.push(toEntry(opened.entry(i)))
    const last = entries.at(-1)
    const hasMore = last && from + limit < opened.length
    return { entries, total: opened.length, ...(hasMore && { next: last.name }) }
  }

  /** Every entry below a tree, folders before what they hold. `prefix` is the tree's own path. */
  async *walk(tree: string, options: WalkOptions = {}): AsyncGenerator<PathEntry> {
    for await (const { path, ...entry } of walkTree(this.reader.loadTree, oidFromHex(tree), {
      ...options,
      caller: this.caller,
    }))
      yield { ...toEntry(entry), path }
  }

  /** Every file below a tree once, by one of its paths. Oids of `seen` are passed over, and those of this walk added to it. */
  async *distinctFiles(tree: string, seen: Set<string>): AsyncGenerator<PathEntry> {
    const turns = new Turns(this.caller)
    const waiting = [{ oid: tree, inside: '' }]
    for (let at = waiting.pop(); at; at = waiting.pop()) {
      if (seen.has(at.oid)) continue
      seen.add(at.oid)
      for (const found of (await this.reader.loadTree(oidFromHex(at.oid))).entries()) {
        if (turns.isOver) await turns.next()
        const entry = { ...toEntry(found), path: `${at.inside}${found.name}` }
        if (entry.kind === 'directory') waiting.push({ oid: entry.oid, inside: `${entry.path}/` })
        else if (entry.kind === 'file' && !seen.has(entry.oid)) {
          seen.add(entry.oid)
          yield entry
        }
      }
    }
  }

  /** Size and pointer of each blob, in the order asked; `undefined` where the repo has no such blob. */
  async describe(oids: string[]): Promise<(BlobFacts | undefined)[]> {
    const turns = new Turns(this.caller)
    const all: (BlobFacts | undefined)[] = []
    for (const oid of oids) {
      if (turns.isOver) await turns.next()
      all.push(await this.reader.findFacts(oidFromHex(oid)))
    }
    return all
  }

  async blobSize(oid: string): Promise<number | undefined> {
    return (await this.reader.findFacts(oidFromHex(oid)))?.sizeBytes
  }

  /** Streams a blob or one range of it; `sizeBytes` is the whole blob's. `undefined` when there is no such blob. */
  async openBlob(
    oid: string,
    range?: ByteRange,
  ): Promise<{ sizeBytes: number; source: ByteSource } | undefined> {
    const sizeBytes = await this.blobSize(oid)
    if (sizeBytes === undefined) return undefined
    const source = await this.reader.stream(oidFromHex(oid), range)
    return source && { sizeBytes, source }
  }

  /** The first bytes of a blob. */
  async readStart(oid: string, maxBytes: number): Promise<Buffer | undefined> {
    const sizeBytes = await this.blobSize(oid)
    if (sizeBytes === undefined) return undefined
    const opened = await this.openBlob(oid, { offset: 0, length: Math.min(sizeBytes, maxBytes) })
    return opened && collect(opened.source, maxBytes)
  }

  /** A whole blob in memory. Problem `file-too-large` beyond `maxBytes`. */
  async readBlob(oid: string, maxBytes: number): Promise<Buffer | undefined> {
    const opened = await this.openBlob(oid)
    if (!opened) return undefined
    if (opened.sizeBytes > maxBytes) throw new Problem('file-too-large')
    return collect(opened.source, maxBytes)
  }
}

const upstreamCommitsOf = new WeakMap<ReadonlyMap<string, RefRow>, ReadonlyMap<string, string>>()

/** By the commit here. Every request for a file asks, so each state of the refs is gone through once. */
function upstreamCommits(refs: ReadonlyMap<string, RefRow>): ReadonlyMap<string, string> {
  const known = upstreamCommitsOf.get(refs)
  if (known) return known
  const found = new Map<string, string>()
  const prefix = `${HIDDEN_REFS}/`
  for (const [name, row] of refs) {
    if (!name.startsWith(prefix)) continue
    const commit = toRef(row).commit
    if (name.slice(prefix.length) !== commit) found.set(commit, name.slice(prefix.length))
  }
  upstreamCommitsOf.set(refs, found)
  return found
}

function refNames(revision: string): string[] {
  if (revision.startsWith('refs/')) return [revision]
  // `~parquet` is how readers of Parquet write the export of a dataset; no branch can have such a name.
  return revision.startsWith('~')
    ? [`refs/convert/${revision.slice(1)}`]
    : [`refs/heads/${revision}`, `refs/tags/${revision}`]
}
