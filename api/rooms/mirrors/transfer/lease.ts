import type { Ctx } from '../../../core/ctx.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { LEASE_MS, releaseTransfer, renewTransfer, type TransferRow } from './rows.ts'

/** Keeps the lease while `work` runs, and releases the file when it fails. A lost lease ends the work. */
export async function withLease(
  ctx: Ctx,
  row: TransferRow,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController()
  const renew = () =>
    ctx.db
      .write((tx) => renewTransfer(tx, ctx, row))
      .then((isHeld) => isHeld || lost.abort(leaseLost()))
      .catch((err: unknown) => ctx.log.warn({ err }, 'the lease of a transfer could not be renewed'))
  const timer = setInterval(() => void renew(), LEASE_MS / 4)
  try {
    await work(AbortSignal.any([signal, lost.signal]))
  } catch (error) {
    await releaseTransfer(ctx, row)
    throw error
  } finally {
    clearInterval(timer)
  }
}

export const leaseLost = () =>
  new Problem('temporarily-unavailable', {
    detail: 'Another process has taken the transfer over.',
    retryAfterS: 5,
  })
