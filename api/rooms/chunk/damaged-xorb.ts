import { and, eq } from 'drizzle-orm'
import type { Ctx } from '../../core/ctx.ts'
import type { Tx } from '../../stores/db/index.ts'
import { StoreError, TooManyBytes } from '../../stores/storage/index.ts'
import { forgetXorbs } from './forget-xorbs.ts'
import { FormatError, type FormatCheck } from './format/index.ts'
import type { XorbRow } from './queries.ts'

/** A stored xorb that was found lost or damaged, so that only its sender can help. */
export class DamagedXorb extends Error {
  readonly xorb: XorbRow

  constructor(xorb: XorbRow, cause: unknown) {
    super(`the stored chunk container ${xorb.xorb_hash} is damaged`, { cause })
    this.name = 'DamagedXorb'
    this.xorb = xorb
  }
}

/** Checks that only stored bodies and indexes can fail once they have been verified. */
const checks = new Set<FormatCheck>([
  'chunk-header',
  'chunk-scheme',
  'lz4',
  'tree-hash',
  'xorb-truncated',
  'xorb-index',
])

/** The failure of work that last read `xorb`, as damage where it is that. */
export function blaming(xorb: XorbRow | undefined, error: unknown): unknown {
  const isLost = error instanceof StoreError && (error.kind === 'missing' || error.kind === 'corrupt')
  const isOfXorb = isLost && xorb !== undefined && error.key.startsWith(xorb.key)
  const isDamage = error instanceof TooManyBytes || (error instanceof FormatError && checks.has(error.check))
  return xorb && (isOfXorb || isDamage) ? new DamagedXorb(xorb, error) : error
}

/** Lets a damaged xorb go, so that the next upload stores it again. */
export async function forgetDamaged(tx: Tx, ctx: Pick<Ctx, 'now'>, { xorb }: DamagedXorb): Promise<void> {
  const { chunk_xorbs: x } = tx.t
  await forgetXorbs(tx, ctx, and(eq(x.xorb_hash, xorb.xorb_hash), eq(x.key, xorb.key)))
}
