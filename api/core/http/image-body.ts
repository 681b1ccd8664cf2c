import type { Context } from 'hono'
import { Problem } from '../../platform/problems/index.ts'
import type { ByteSource } from '../../stores/storage/index.ts'
import { declaredLength, requestBytes } from './bytes.ts'
import type { Env } from './env.ts'
import { headerOf } from './header.ts'
import { requireUnencoded } from './inflated.ts'

/**
 * The image that a request brings. What it is, its bytes say; that it is meant as one, its `Content-Type` must. `named` lists
 * the types that are taken, for the refusal.
 */
export function imageBody(c: Context<Env>, named: string): [bytes: ByteSource, declared: number | undefined] {
  requireUnencoded(c)
  if (!headerOf(c, 'content-type')?.toLowerCase().startsWith('image/'))
    throw new Problem('unsupported-media-type', {
      detail: `Only images are kept here: send a ${named} image, with its Content-Type.`,
    })
  return [requestBytes(c), declaredLength(c)]
}
