import { z } from 'zod'
import { limits } from '../../../shared/vocabulary.ts'

// Unknown members are ignored: clients of many versions send their own.

/** Body of `POST …/objects/batch` (git-lfs: docs/api/batch.md). JS hub clients write `sha_256` (hub-wire.md §8.1). */
export const BatchBody = z.object({
  operation: z.enum(['upload', 'download']),
  transfers: z
    .array(z.string())
    .nullish()
    .transform((transfers) => transfers ?? undefined),
  objects: z.array(z.object({ oid: z.string(), size: z.number() })),
  hash_algo: z.enum(['sha256', 'sha_256']).nullish(),
  ref: z
    // The name is part of every address in the answer. git-lfs leaves an empty one out (git-lfs 3.6: tq/api.go).
    .object({ name: z.string().max(limits.pathBytes).nullish() })
    .nullish()
    .transform((ref) => (ref?.name ? { name: ref.name } : undefined)),
})

/** Body of `POST …/verify`. */
export const VerifyBody = z.object({
  oid: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits'),
  size: z.int().min(0),
})

/** Body of a multipart completion, as hub clients send it. */
export const CompletionBody = z.object({
  oid: z.string(),
  parts: z
    .array(z.object({ partNumber: z.int().min(1).max(limits.partNumberMax), etag: z.string().max(200) }))
    .max(limits.partNumberMax),
})

/** Query of an address that `objectPutUrl` made; trusted once its signature holds. */
export const SizeQuery = z.object({ size: z.coerce.number().int().min(0) })
