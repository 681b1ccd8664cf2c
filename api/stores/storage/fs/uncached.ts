import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { hasCode } from './errors.ts'
import { BLOCK_BYTES, isAligned } from '../../../platform/direct-io/index.ts'

/** As `open` of `node:fs/promises`. */
export type OpenFile = (path: string, flags: number) => Promise<FileHandle>

/**
 * Reading and writing of one file system past the page cache (O_DIRECT, open(2)), for objects that pass once
 * (`passesOnce`). In the cache they would drive out what is read again and again, and its memory costs more CPU time than
 * the rest of the write: 0.2 s per GiB against 0.4 to 3.5 on a virtual machine, where uploads by chunks fell from 190 to
 * 133 MB/s without it. Where the system or the file system cannot do it, all goes through the cache; the tests of this
 * file compare both.
 */
export class DirectIo {
  readonly #open: OpenFile
  #isRefused = constants.O_DIRECT === undefined

  constructor(openFile: OpenFile = open) {
    this.#open = openFile
  }

  /** Opens a file that is there, by another way than the cache; `undefined` where that cannot be. */
  async open(path: string, flags: number): Promise<FileHandle | undefined> {
    if (this.#isRefused) return undefined
    try {
      return await this.#open(path, flags | constants.O_DIRECT)
    } catch (error) {
      // Whatever it is, the way through the cache meets it, too, or does without.
      if (isRefusal(error)) this.#isRefused = true
      return undefined
    }
  }

  /** Runs one step on such a file; a file system that refuses it gives `undefined`, and is not asked again. */
  async attempt<T>(step: () => Promise<T>): Promise<T | undefined> {
    if (this.#isRefused) return undefined
    try {
      return await step()
    } catch (error) {
      if (!isRefusal(error)) throw error
      this.#isRefused = true
      return undefined
    }
  }
}

const isRefusal = (error: unknown) => hasCode(error, 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP')

/** How many of the bytes, from the first on, can go to this place of a file past the cache. */
export function directBytes(bytes: Uint8Array, position: number): number {
  return position % BLOCK_BYTES === 0 && isAligned(bytes) ? bytes.length - (bytes.length % BLOCK_BYTES) : 0
}
