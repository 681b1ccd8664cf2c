import type { Ctx } from '../ctx.ts'
import type { ArrivingObject } from '../pull-through.ts'
import { Problem } from '../../platform/problems/index.ts'
import type { ByteRange, ByteSource } from '../../stores/storage/index.ts'
import { findAbsent, type Absence } from './absent.ts'
import { findInRepo } from './possession.ts'
import type { ObjectRow } from './queries.ts'

type Opening = Pick<Ctx, 'actor' | 'blobs' | 'db' | 'now' | 'pullThrough'>

/** `present`: its bytes can be sent, from here or as they arrive; `missing`: no bytes are stored, or none that this repo may give to the caller; `pulling`: they are on their way. */
type Presence = { presence: 'present'; sizeBytes: number } | { presence: 'missing' | 'pulling' }

/** A large file of a repo, ready to be sent. */
export type OpenObject = Presence & {
  /**
   * Where its bytes are in the blob store, for a presigned address; `undefined` while they arrive from an upstream. Problem
   * `store-unavailable` when they are missing.
   */
  key(): string | undefined
  /** Its bytes, or one range of them. Problem `store-unavailable` when they are missing. */
  open(range?: ByteRange, signal?: AbortSignal): Promise<ByteSource>
}

/**
 * Opens large files of a repo: the one way to their bytes, for downloads, archives and LFS alike. The caller may read the
 * files of the repo. One that only names an object in a commit, as a README may, does not get it: what is linked here or
 * was uploaded here by the caller is sent, and nothing else. Answers one entry for each of `sha256s`.
 */
export async function openObjects(
  ctx: Opening,
  repoId: string,
  sha256s: Iterable<string>,
): Promise<Map<string, OpenObject>> {
  const wanted = new Set(sha256s)
  const found = await findInRepo(ctx.db, ctx, repoId, wanted)
  const lacking = [...wanted].filter((sha256) => !found.has(sha256))
  const absent = await findAbsent(ctx.db, repoId, lacking, ctx.now())
  const arriving = await ctx.pullThrough?.objects(ctx.actor, repoId, [...absent.keys()])
  // Bytes that arrived between these looks are neither absent nor on their way: the last look finds them.
  const arrived = await findInRepo(
    ctx.db,
    ctx,
    repoId,
    lacking.filter((sha256) => !arriving?.has(sha256)),
  )
  return new Map(
    [...wanted].map((sha256) => {
      const far = arriving?.get(sha256)
      return [
        sha256,
        far
          ? arrivingObject(far)
          : objectAt(ctx, sha256, found.get(sha256) ?? arrived.get(sha256), absent.get(sha256)),
      ]
    }),
  )
}

/** As `openObjects`, of one. */
export async function openObject(ctx: Opening, repoId: string, sha256: string): Promise<OpenObject> {
  const [object] = (await openObjects(ctx, repoId, [sha256])).values()
  if (!object) throw new Error('every object that is asked for is answered')
  return object
}

const arrivingObject = ({ sizeBytes, open }: ArrivingObject): OpenObject => ({
  presence: 'present',
  sizeBytes,
  key: () => undefined,
  open,
})

function objectAt(
  { blobs }: Pick<Ctx, 'blobs'>,
  sha256: string,
  row: ObjectRow | undefined,
  absence: Absence | undefined,
): OpenObject {
  const key = () => {
    if (row) return row.key
    throw absence ? neverHere(absence) : bytesMissing(sha256)
  }
  const presence: Presence = row
    ? { presence: 'present', sizeBytes: row.size }
    : { presence: absence ?? 'missing' }
  return { ...presence, key, open: async (range, signal) => blobs.read(key(), range, signal) }
}

/** Of a mirror that holds a part of its upstream. */
const neverHere = (absence: Absence) =>
  new Problem('lfs-object-missing', {
    detail:
      absence === 'pulling'
        ? 'This file is being pulled from the upstream. Try again when its job has ended.'
        : 'This server holds a part of this repo. The file has not been pulled from the upstream. Ask an admin of the repo to pull it.',
  })

/** Not "no such file": hub clients would remember that for the commit. */
function bytesMissing(sha256: string): Problem {
  return new Problem('store-unavailable', {
    detail: `The bytes of a large file are missing here: SHA-256 ${sha256}. Upload the file again.`,
    retryAfterS: 60,
  })
}
