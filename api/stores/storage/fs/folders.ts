import { mkdir, open, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LRUCache } from 'lru-cache'
import { hasCode } from './errors.ts'

/** Folders known to be durable; forgetting one costs an fsync. */
const MAX_KNOWN_FOLDERS = 10_000

/** The folders below a store's root, made when a key needs them and durable before anything in them counts as stored. */
export class Folders {
  readonly #root: string
  readonly #known = new LRUCache<string, Promise<void>>({ max: MAX_KNOWN_FOLDERS })

  constructor(root: string) {
    this.#root = root
  }

  /**
   * Resolves when `folder` exists and power loss cannot take it. A folder is synced into its parent once per
   * process even when it was there, since the process that made it may not have come that far.
   */
  ensure(folder: string): Promise<void> {
    if (folder === this.#root) return Promise.resolve()
    const known = this.#known.get(folder)
    if (known) return known
    const made = this.#make(folder)
    this.#known.set(folder, made)
    made.catch(() => this.#known.delete(folder))
    return made
  }

  /** Makes the next `ensure` look again, after a folder turned out to be gone. */
  forget(folder: string): void {
    for (let gone = folder; gone !== this.#root; gone = dirname(gone)) this.#known.delete(gone)
  }

  /** Removes `folder` and its parents as far as they are empty. A put that meets this makes them again. */
  async prune(folder: string): Promise<void> {
    for (let empty = folder; empty !== this.#root; empty = dirname(empty)) {
      this.#known.delete(empty)
      try {
        await rmdir(empty)
      } catch (error) {
        if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'EBUSY')) return
        if (!hasCode(error, 'ENOENT')) throw error
      } finally {
        this.#known.delete(empty)
      }
    }
  }

  async #make(folder: string): Promise<void> {
    const parent = dirname(folder)
    await this.ensure(parent)
    try {
      await mkdir(folder, { mode: 0o700 })
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
    await syncFolder(parent)
  }
}

/** Makes the entries of a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
