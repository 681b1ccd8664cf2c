import { requireScope, type UserActor } from '../../../core/access/index.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { newId, type Tx } from '../../../stores/db/index.ts'
import { deleteDiscarded, discardKeys, keepKeys, reserveKeys } from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { requireOwnQuota } from '../../repos/index.ts'
import { limits, type AttachmentType } from '../../../../shared/vocabulary.ts'
import {
  blobKeys,
  derived,
  drain,
  hashing,
  limited,
  TooManyBytes,
  type ByteSource,
} from '../../../stores/storage/index.ts'
import { SNIFF_BYTES, typeOf } from './kinds.ts'
import { unusedOf } from './queries.ts'

/** An image that has been stored. */
export interface Attachment {
  id: string
  type: AttachmentType
  sizeBytes: number
}

const HEARD_OUT_BYTES = 64 * 1024 * 1024

/** What one user may have uploaded without putting it into a comment. */
const MAX_UNUSED = { files: 100, bytes: 200 * 1024 * 1024 }

/**
 * Stores an image for a comment that its uploader is about to write; until then they alone can see it. Its bytes count
 * towards the quota of their own namespace. Problems: `unsupported-media-type` for bytes that are no image,
 * `body-too-large`, `quota-exceeded`.
 */
export async function uploadAttachment(
  ctx: Ctx,
  source: ByteSource,
  declaredBytes: number | undefined,
): Promise<Attachment> {
  const user = requireScope(ctx.actor, 'write')
  if ((declaredBytes ?? 0) > limits.attachmentBytes) throw await refused(source, declaredBytes ?? 0)
  const id = newId()
  const key = blobKeys.attachment(id)
  await ctx.db.write(async (tx) => {
    await requireUnusedRoom(tx, user, { files: 1, bytes: declaredBytes ?? 0 })
    await reserveKeys(tx, ctx, [key])
  })
  try {
    const sniffed = sniffing(limited(source, limits.attachmentBytes))
    const hashed = hashing(sniffed.source, 'sha256')
    const { sizeBytes } = await ctx.blobs.put(key, hashed.source)
    const stored = { id, type: sniffed.type(), sizeBytes }
    const { hex } = await hashed.digest()
    await ctx.db.write((tx) => record(tx, ctx, user, { ...stored, sha256: hex }))
    return stored
  } catch (error) {
    await giveUp(ctx, key)
    throw error instanceof TooManyBytes ? tooLarge() : error
  }
}

async function record(
  tx: Tx,
  ctx: Ctx,
  user: UserActor,
  { id, type, sizeBytes, sha256 }: Attachment & { sha256: string },
): Promise<void> {
  const now = ctx.now()
  await keepKeys(tx, ctx, [blobKeys.attachment(id)])
  const row = { id, user_id: user.id, type, size: sizeBytes, sha256, created_at: now, unused_since: now }
  await tx.q.insert(tx.t.attachments).values(row)
  await requireUnusedRoom(tx, user, { files: 0, bytes: 0 })
}

/** It holds the user's namespace, so that of two uploads at once the second counts the first. */
async function requireUnusedRoom(tx: Tx, user: UserActor, coming: typeof MAX_UNUSED): Promise<void> {
  await requireOwnQuota(tx, user.id)
  const { files, bytes } = await unusedOf(tx, user.id)
  if (files + coming.files > MAX_UNUSED.files || bytes + coming.bytes > MAX_UNUSED.bytes)
    throw new Problem('quota-exceeded', {
      detail:
        `You have uploaded ${files} images (${bytes} bytes) that no comment shows; ` +
        `at most ${MAX_UNUSED.files} of ${MAX_UNUSED.bytes} bytes are kept. Put them into comments, or wait until they expire.`,
    })
}

/** Clients that are still sending when they are refused see a broken pipe and no answer: what is not endless is heard out. */
async function refused(source: ByteSource, declaredBytes: number): Promise<Problem> {
  if (declaredBytes <= HEARD_OUT_BYTES) await drain(source)
  return tooLarge()
}

const tooLarge = () =>
  new Problem('body-too-large', {
    detail: `An image may have at most ${limits.attachmentBytes} bytes. Make it smaller, or commit it to the repo and link to it.`,
  })

/** The same bytes, once they are known to be those of an image. */
function sniffing(source: ByteSource): { source: ByteSource; type: () => AttachmentType } {
  let type: AttachmentType | undefined
  const known = () => {
    if (type) return type
    throw new Problem('unsupported-media-type', { detail: 'Send a PNG, JPEG, GIF or WebP image.' })
  }
  const checked = derived([source], async function* () {
    let start = Buffer.alloc(0)
    for await (const chunk of source) {
      if (type) {
        yield chunk
        continue
      }
      start = Buffer.concat([start, chunk])
      if (start.length < SNIFF_BYTES) continue
      type = typeOf(start)
      known()
      yield start
    }
    known()
  })
  return { source: checked, type: known }
}

async function giveUp(ctx: Ctx, key: string): Promise<void> {
  try {
    await ctx.db.write((tx) => discardKeys(tx, ctx, [key]))
    await deleteDiscarded(ctx, [key])
  } catch (error) {
    ctx.log.warn({ err: error, key }, 'the bytes of a failed upload are left to their reservation')
  }
}
