import type { Ctx } from '../../../core/ctx.ts'
import type { Tx } from '../../../stores/db/index.ts'
import {
  commit as commitToGit,
  CommitBuilder,
  compactWhenDue,
  merge,
  relieve,
  type EditFault,
  type MadeCommit,
  type Mergeability,
  type MergedFile,
  type Person,
  type Snapshot,
} from '../../../core/git/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { authorOf, type Repo } from '../../repos/index.ts'
import { reasons } from './edit-reasons.ts'
import { MAX_CARD_BYTES } from '../cards/card.ts'
import { README } from '../head/facts.ts'
import { moverOf } from './ref-moves.ts'

/** A commit to be merged into a branch. */
export interface MergeInput {
  /** Full name of the branch. */
  ref: string
  /** 40-hex. */
  head: string
  /** One commit with one parent, as if it had been made on the branch; else a commit with both as its parents. */
  isSquash: boolean
  message: string
  author: Person
  /** The author's account. */
  authorId: string | null
  /** Further rows of the same transaction. `mergeBase` is where the two parted; absent without common history. */
  alongside(tx: Tx, made: { commit: string; mergeBase: string | undefined }): Promise<void>
}

/** Each is held in memory until the merge is stored. */
const MAX_MERGED_FILES = 100_000

export interface MergeOutcome {
  /** What the branch has become, 40-hex. */
  commit: string
}

/**
 * Merges into a branch as it is in that moment, however often others move it meanwhile. Problems: `merge-conflict` with
 * `paths`, and `state-conflict` when there is nothing to merge or no such branch. The caller was found to be allowed to.
 */
export async function mergeInto(ctx: Ctx, repo: Repo, input: MergeInput): Promise<MergeOutcome> {
  const { ref, head, isSquash, message, author, authorId } = input
  await relieve(ctx, repo.id)
  const builder = new CommitBuilder(ctx.git, repo.id)
  const merging = new Merging(builder)
  try {
    const result = await commitToGit(ctx.git, builder, {
      ref,
      message,
      author,
      committer: await authorOf(ctx),
      ...moverOf(ctx, 'merge'),
      ...(authorId === null ? {} : { authorId }),
      ...(isSquash ? {} : { furtherParents: [head] }),
      adapt: (snapshot, base) => merging.stage(ctx, snapshot, base, head),
      alongside: async (tx, made: MadeCommit) => {
        await input.alongside(tx, { commit: made.sha, mergeBase: merging.mergeBase })
        await compactWhenDue(tx, ctx, repo.id)
      },
    })
    if ('faults' in result) throw unmergeable(result.faults)
    if (!result.changed) throw nothingToMerge()
    return { commit: result.sha }
  } finally {
    await builder.dispose()
  }
}

/** A merge of two trees in order may still be too large for one. */
function unmergeable(faults: EditFault[]): Problem {
  const [first] = faults.map(({ code, path }) => `${path}: ${reasons[code]}`)
  return new Problem('validation-failed', { detail: `The merge cannot be made. ${first}.` })
}

const nothingToMerge = () =>
  new Problem('state-conflict', { detail: 'There is nothing to merge: the base has all of this already.' })

/** One merge after the other into the same builder, as the branch moves on. */
class Merging {
  readonly #builder: CommitBuilder
  mergeBase: string | undefined

  constructor(builder: CommitBuilder) {
    this.#builder = builder
  }

  async stage(ctx: Ctx, snapshot: Snapshot, base: string | undefined, head: string): Promise<void> {
    if (base === undefined) throw new Problem('state-conflict', { detail: 'The base branch is gone.' })
    this.#builder.edits.length = 0
    const found: Mergeability = await merge(ctx.git, snapshot, { base, head }, (file) => this.#take(file))
    if (!found.isClean)
      throw new Problem('merge-conflict', {
        detail: `The base has changed the same places: ${found.conflicts.slice(0, 10).join(', ')}`,
        members: { paths: found.conflicts },
      })
    this.mergeBase = found.mergeBase
  }

  async #take(file: MergedFile): Promise<void> {
    if (this.#builder.edits.length >= MAX_MERGED_FILES)
      throw new Problem('validation-failed', {
        detail: `The merge changes more than ${MAX_MERGED_FILES} files. Merge the branches with git and push the result.`,
      })
    if ('isDeleted' in file) return this.#builder.delete(file.path)
    const { path, oid, mode, content } = file
    if (!content) return this.#builder.putBlob(path, { oid, mode })
    await this.#builder.putBytes(path, content, mode)
    const known = path === README ? { content: content.subarray(0, MAX_CARD_BYTES) } : {}
    this.#builder.describe(oid, { sizeBytes: content.length, ...known })
  }
}
