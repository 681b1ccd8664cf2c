import type { Ctx } from '../../core/ctx.ts'
import { Problem } from '../../platform/problems/index.ts'
import { RepoMoved, requireRepo, type Repo, type RepoAddress } from '../repos/index.ts'
import type { Collection } from './queries.ts'
import { requireCollection, type CollectionAddress } from './require.ts'
import { slugOf } from './slug.ts'

/** Where the repo or collection is that an item stands for. */
export type ItemRef = RepoAddress | ({ type: 'collection' } & CollectionAddress)

/** What was found there. */
export type Found = { repo: Repo; collection?: undefined } | { collection: Collection; repo?: undefined }

async function requireRepoAt(ctx: Ctx, address: RepoAddress): Promise<Repo> {
  try {
    return await requireRepo(ctx, address, 'repo.read')
  } catch (error) {
    if (!(error instanceof RepoMoved)) throw error
    return requireRepo(ctx, error.to, 'repo.read')
  }
}

/**
 * The repo or collection at an address, also at a former one, for a caller who may read it. Problems: `repo-not-found`,
 * and `not-found` for a collection.
 */
export async function requireTarget(ctx: Ctx, ref: ItemRef): Promise<Found> {
  return ref.type === 'collection'
    ? { collection: await requireCollection(ctx.db, ctx, ref) }
    : { repo: await requireRepoAt(ctx, ref) }
}

/** As `requireTarget`; `undefined` for what is hidden as for what is not there. */
export async function findTarget(ctx: Ctx, ref: ItemRef): Promise<Found | undefined> {
  try {
    return await requireTarget(ctx, ref)
  } catch (error) {
    if (error instanceof Problem && (error.code === 'repo-not-found' || error.code === 'not-found'))
      return undefined
    throw error
  }
}

/** Its address, as `acme/tiny`. */
export const nameOf = ({ repo, collection }: Found): string =>
  repo ? `${repo.ns}/${repo.name}` : `${collection.ns}/${slugOf(collection)}`

/** What the audit log names: `repo` or `collection`. */
export const auditedAs = (found: Found): Record<string, string> =>
  found.repo ? { repo: `${found.repo.type}/${nameOf(found)}` } : { collection: nameOf(found) }
