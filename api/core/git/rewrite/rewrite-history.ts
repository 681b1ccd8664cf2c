import { Problem } from '../../../platform/problems/index.ts'
import { fromChunks, TooManyBytes } from '../../../stores/storage/index.ts'
import type { Git } from '../git.ts'
import { oidFromHex, type Oid } from '../objects/oid.ts'
import type { FinishedPack } from '../packs/finished-pack.ts'
import { PackWriter } from '../packs/pack-writer.ts'
import type { RefTarget } from '../refs/listener.ts'
import { withSkeleton } from '../runner/skeleton.ts'
import type { Snapshot } from '../snapshot.ts'
import { pointerBlobs } from '../upkeep/reachable-pointers.ts'
import { rootsOf } from '../upkeep/roots.ts'
import { rewriteCommit, rewriteTag } from './raw-object.ts'
import { TreePruner } from './tree-pruner.ts'

/** A history without some large files, ready to take the place of the one that a snapshot shows. */
export interface RewrittenHistory {
  /** Old commit → new one, 40-hex. Commits before the first that held such a file are not among them. */
  commits: ReadonlyMap<string, string>
  /** Where the refs go that led to one of them, the default branch first. */
  moves: (RefTarget & { name: string })[]
  pack: FinishedPack
}

export interface RewriteOptions {
  signal: AbortSignal
  /** Gets the number of commits that were looked at. */
  progress?: (commits: number) => Promise<void>
}

/** Both ids of each are held until the refs move: about 20 MB. */
const MAX_COMMITS = 100_000
/** Commits that are looked at; their list takes 40 MB. */
const MAX_HISTORY = 1_000_000
/** Of an id and its newline. */
const LINE_BYTES = 41
/** Tags that name tags; git itself has no limit. */
const MAX_TAG_DEPTH = 20

/**
 * Works out the history of all refs, and of what pull requests were compared by, without the pointers to these large files:
 * commits keep people, dates and messages, also where nothing is left of what they changed, but lose their signatures.
 * Runs `use` on it, or on nothing where no commit has them. Problem `state-conflict` beyond 100 000 commits or
 * `git.max_pack_size` of new trees. Throws `Overtaken`.
 */
export async function withRewrittenHistory<T>(
  git: Git,
  snapshot: Snapshot,
  sha256s: ReadonlySet<string>,
  options: RewriteOptions,
  use: (rewritten: RewrittenHistory | undefined) => Promise<T>,
): Promise<T> {
  const writer = new PackWriter(git.store.tempDir)
  try {
    const { lasting } = await rootsOf(git, snapshot, git.deps.now())
    const rewritten = await withSkeleton(git, snapshot, async (dir) => {
      const place = { dir, roots: lasting, signal: options.signal }
      const unwanted = new Set<string>()
      for await (const { oid, pointer } of pointerBlobs(git, snapshot, place))
        if (sha256s.has(pointer.sha256)) unwanted.add(oidFromHex(oid).toString('latin1'))
      if (unwanted.size === 0) return undefined
      const rewriting = new Rewriting(git, snapshot, { writer, unwanted, options })
      await rewriting.follow(dir, lasting)
      return rewriting.finish()
    })
    return await use(rewritten)
  } finally {
    await writer.dispose()
  }
}

class Rewriting {
  readonly #git: Git
  readonly #snapshot: Snapshot
  readonly #writer: PackWriter
  readonly #options: RewriteOptions
  readonly #trees: TreePruner
  readonly #commits = new Map<string, string>()

  constructor(
    git: Git,
    snapshot: Snapshot,
    rest: { writer: PackWriter; unwanted: ReadonlySet<string>; options: RewriteOptions },
  ) {
    const { writer, unwanted, options } = rest
    this.#git = git
    this.#snapshot = snapshot
    this.#writer = writer
    this.#options = options
    const save = (bytes: Buffer) => writer.add('tree', bytes)
    this.#trees = new TreePruner({ load: snapshot.reader.loadTree, save }, unwanted, options.signal)
  }

  /** Rewrites what the roots lead to, parents before children. */
  async follow(dir: string, roots: string[]): Promise<void> {
    const { signal, progress } = this.#options
    const stdin = fromChunks(Buffer.from(`${roots.join('\n')}\n`))
    const args = ['rev-list', '--topo-order', '--reverse', '--stdin']
    // Read to its end, since what follows may take longer than a git may run.
    const listed = await this.#git.runner
      .run({ dir, args, stdin, signal }, MAX_HISTORY * LINE_BYTES)
      .catch((error: unknown) => {
        if (error instanceof TooManyBytes) throw tooLarge(`Its history has more than ${MAX_HISTORY} commits.`)
        throw error
      })
    for (let at = 0; at < listed.length; at += LINE_BYTES) {
      signal.throwIfAborted()
      await this.#commit(listed.toString('latin1', at, at + LINE_BYTES - 1))
      await progress?.(at / LINE_BYTES + 1)
    }
  }

  async finish(): Promise<RewrittenHistory> {
    const main = `refs/heads/${this.#snapshot.defaultBranch}`
    const moves: RewrittenHistory['moves'] = []
    for (const { name, oid, commit } of this.#snapshot.listRefs()) {
      const now = this.#commits.get(commit)
      if (now === undefined) continue
      if (oid === commit) moves.push({ name, from: oid, to: now })
      else moves.push({ name, from: oid, to: (await this.#tag(oid)).toString('hex'), peeled: now })
    }
    moves.sort((a, b) => Number(b.name === main) - Number(a.name === main))
    return { commits: this.#commits, moves, pack: await this.#writer.finish() }
  }

  async #commit(sha: string): Promise<void> {
    const { reader } = this.#snapshot
    const commit = await reader.findCommit(oidFromHex(sha))
    if (!commit) throw this.#lost(sha)
    const tree = await this.#trees.root(commit.tree)
    const isRewritten = commit.parents.some((parent) => this.#commits.has(parent.toString('hex')))
    if (tree.equals(commit.tree) && !isRewritten) return
    const raw = await reader.read(oidFromHex(sha))
    if (!raw) throw this.#lost(sha)
    const bytes = rewriteCommit(raw.content, tree, (parent) => this.#commits.get(parent))
    this.#commits.set(sha, (await this.#writer.add('commit', bytes)).toString('hex'))
    this.#requireBounded()
  }

  /** The tag object that stands in place of this one. */
  async #tag(sha: string, depth = 0): Promise<Oid> {
    const { reader } = this.#snapshot
    const tag = await reader.findTag(oidFromHex(sha))
    const raw = await reader.read(oidFromHex(sha))
    if (!tag || !raw) throw this.#lost(sha)
    if (depth === MAX_TAG_DEPTH) throw tooLarge(`A tag names more than ${MAX_TAG_DEPTH} others.`)
    const named = tag.object.toString('hex')
    const object =
      tag.type === 'tag' ? await this.#tag(named, depth + 1) : oidFromHex(this.#commits.get(named) ?? named)
    return this.#writer.add('tag', rewriteTag(raw.content, object))
  }

  #requireBounded(): void {
    const { max_pack_size: maxBytes } = this.#git.deps.config.git
    if (this.#commits.size > MAX_COMMITS) throw tooLarge(`More than ${MAX_COMMITS} commits would change.`)
    if (this.#writer.sizeBytes > maxBytes)
      throw tooLarge(`Its folders would take more than ${maxBytes} bytes.`)
  }

  #lost(sha: string): Problem {
    const { repoId } = this.#snapshot
    return new Problem('internal', { cause: new Error(`${sha} of the repo ${repoId} is missing`) })
  }
}

function tooLarge(why: string): Problem {
  return new Problem('state-conflict', {
    detail: `${why} That is too much to rewrite here. Clone the repo, rewrite it with git filter-repo, and force-push.`,
  })
}
