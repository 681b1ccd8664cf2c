import type { ScanStatus } from '../../../shared/vocabulary.ts'
import type { Ctx } from '../../core/ctx.ts'

/** What the scanner made of a content; `failed` where it could not end. */
export type RawStatus = Exclude<ScanStatus, 'pending'>

/** Files that are not safe, by how. */
export interface Counts {
  unsafe: number
  suspicious: number
  failed: number
  /** Files that were not looked at, or whose bytes are not here. */
  missing: number
}

type Settings = Pick<Ctx, 'config'>

/** A verdict as it is shown: `scan.strict` makes what is suspicious unsafe, also what was looked at before it was set. */
export const shownStatus = <S extends ScanStatus>({ config }: Settings, status: S): S | 'unsafe' =>
  config.scan.strict && status === 'suspicious' ? 'unsafe' : status

/** How all files together are shown: as the worst of them. */
export function worstOf(ctx: Settings, { unsafe, suspicious, failed, missing }: Counts): ScanStatus {
  if (unsafe > 0) return 'unsafe'
  if (suspicious > 0) return shownStatus(ctx, 'suspicious')
  if (failed > 0) return 'failed'
  return missing > 0 ? 'pending' : 'safe'
}
