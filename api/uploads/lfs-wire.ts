import { z } from 'zod'
import { limits } from '../../shared/vocabulary.ts'
import { Problem } from '../problems/index.ts'

// Unknown members are ignored: clients of many versions send their own.

/** Body of `POST …/objects/batch` (git-lfs: docs/api/batch.md). JS hub clients write `sha_256` (hub-wire.md §8.1). */
export const BatchBody = z.object({
  operation: z.enum(['upload', 'download']),
  transfers: z.array(z.string()).optional(),
  objects: z.array(z.object({ oid: z.string(), size: z.number() })),
  hash_algo: z.enum(['sha256', 'sha_256']).optional(),
  ref: z
    // It is part of every address in the answer.
    .object({ name: z.string().max(limits.pathBytes) })
    .nullish()
    .transform((ref) => ref ?? undefined),
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

/** Query of an address that `objectPutUrl` or `verifyUrl` made; trusted once its signature holds. */
export const OwnerQuery = z.object({ repo: z.string(), user: z.string() })
export const PutQuery = OwnerQuery.extend({ size: z.coerce.number().int().min(0) })

/** Reads JSON bytes by a schema; Problem `invalid-request` or `validation-failed` naming the fields. */
export function readJson<S extends z.ZodType>(schema: S, bytes: Buffer): z.output<S> {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new Problem('invalid-request', { detail: 'The body is not JSON.', cause })
  }
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const errors = read.error.issues.map((issue) => ({
    field: issue.path.map(String).join('.') || 'body',
    code: issue.code.replaceAll('_', '-'),
    message: issue.message,
  }))
  throw new Problem('validation-failed', {
    detail: errors.map((error) => `${error.field}: ${error.message}`).join('; '),
    errors: errors.slice(0, 100),
  })
}
