import { statfs } from 'node:fs/promises'
import { StoreError } from './store-error.ts'

/** Small disks keep a twentieth free, large ones no more than this: 5 % of 4 TiB would waste 200 GiB. */
const MAX_RESERVE_BYTES = 2 * 2 ** 30
const RESERVE_SHARE = 0.05
/** Bytes written between two looks at the disk: little beside the smallest useful reserve, and one call in 100 ms. */
const LOOK_EVERY_BYTES = 16 * 2 ** 20

/** Bytes of a disk, as far as they are for us. */
export interface FreeSpace {
  freeBytes: number
  totalBytes: number
}

/** What stays free on a disk of this size, so that sign-in, deletions and the database go on when puts are refused. */
export const reserveBytes = (totalBytes: number): number =>
  Math.floor(Math.min(totalBytes * RESERVE_SHARE, MAX_RESERVE_BYTES))

/** How many bytes are missing for `bytes` more above the reserve; 0 when they fit. */
export const lackingBytes = ({ freeBytes, totalBytes }: FreeSpace, bytes: number): number =>
  Math.max(0, bytes + reserveBytes(totalBytes) - freeBytes)

/** Free space of the disk that holds `folder`. */
export async function freeSpaceOf(folder: string): Promise<FreeSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** What a caller is shown of a disk without room for `bytes` of `what`. */
export function fullDetail(lacking: number, bytes: number, what: string): string {
  const needed = bytes > 0 ? `${what} needs ${bytes} bytes` : `${what} needs more room`
  return `The disk is too full: ${needed}. Free ${lacking} bytes first: delete repos, or extend the disk.`
}

/**
 * Watches the disk below a file that grows. `take` is asked before bytes are written: it looks at the disk the first time
 * and then every 16 MiB, and throws StoreError `full` when the bytes would go into the reserve.
 */
export class DiskSpace {
  readonly #folder: string
  readonly #what: string
  #takenBytes = LOOK_EVERY_BYTES

  constructor(folder: string, what: string) {
    this.#folder = folder
    this.#what = what
  }

  async take(bytes: number): Promise<void> {
    this.#takenBytes += bytes
    if (this.#takenBytes >= LOOK_EVERY_BYTES) await this.require(bytes)
  }

  /** As `take`, and looks in any case. */
  async require(bytes: number): Promise<void> {
    this.#takenBytes = 0
    const lacking = lackingBytes(await freeSpaceOf(this.#folder), bytes)
    if (lacking === 0) return
    const detail = fullDetail(lacking, bytes, this.#what)
    throw new StoreError('full', '', `${lacking} bytes are lacking in ${this.#folder}`, { detail })
  }
}
