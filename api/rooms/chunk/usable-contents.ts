import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import { isUsable } from '../../core/lfs/index.ts'
import type { Reading } from './queries.ts'
import type { DescribedFile } from './threads/messages.ts'
import { inBatches } from '../../stores/db/index.ts'

type Content = Pick<DescribedFile, 'fileHash' | 'sha256'>

/** Names a content as its sender described it. */
export const contentOf = ({ fileHash, sha256 }: Content) => `${fileHash}/${sha256 ?? ''}`

/** How a known content may be described: with its SHA-256 or without. */
export const namesOf = (known: Content): string[] => [
  contentOf(known),
  contentOf({ ...known, sha256: undefined }),
]

/**
 * The contents with these file hashes whose objects the caller may use. One statement whatever exists, so that its course
 * tells nothing; a content of others is as good as none.
 */
export function findUsableContents(
  tx: Reading,
  ctx: Pick<Ctx, 'actor' | 'config' | 'now'>,
  files: Pick<DescribedFile, 'fileHash'>[],
): Promise<{ fileHash: string; sha256: string }[]> {
  const { chunk_files: f, lfs_objects: o } = tx.t
  return inBatches(
    files.map(({ fileHash }) => fileHash),
    (some) =>
      tx.q
        .select({ fileHash: f.file_hash, sha256: f.sha256 })
        .from(f)
        .innerJoin(o, eq(o.sha256, f.sha256))
        .where(and(inArray(f.file_hash, some), isNull(o.corrupt_at), isUsable(tx, ctx))),
  )
}
