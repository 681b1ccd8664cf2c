import { randomUUID } from 'node:crypto'
import { type FileHandle, access, link, mkdir, open, realpath, unlink, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DirectIo, type OpenFile } from './uncached.ts'
import { hasCode, onDisk } from './errors.ts'
import { Folders, syncFolder } from './folders.ts'
import { DiskSpace } from '../disk-space.ts'
import { requireKey } from '../guards.ts'
import type { EmptyFile } from './writer.ts'
import { StoreError } from '../store-error.ts'

/** Tries of a publish whose folder vanishes under it, because the last object in it was deleted at that moment. */
const PUBLISH_TRIES = 5

/**
 * The folder of an `fs` store. Objects lie at their keys; no key begins with a dot, so these are out of reach:
 *
 *   .tmp/{uuid}              files being written, and folders being removed
 */
export class Disk {
  readonly root: string
  readonly temps: string
  /** The way past the page cache. */
  readonly direct: DirectIo
  readonly #folders: Folders

  private constructor(root: string, direct: DirectIo) {
    this.root = root
    this.direct = direct
    this.temps = join(root, '.tmp')
    this.#folders = new Folders(root)
  }

  /** Makes the folder where it is absent. `openDirect` opens files past the page cache. */
  static async open(path: string, openDirect?: OpenFile): Promise<Disk> {
    return onDisk('', async () => {
      await mkdir(path, { recursive: true, mode: 0o700 })
      const disk = new Disk(await realpath(path), new DirectIo(openDirect))
      await disk.#folders.ensure(disk.temps)
      return disk
    })
  }

  pathOf(key: string): string {
    requireKey(key)
    return join(this.root, key)
  }

  temp(): string {
    return join(this.temps, randomUUID())
  }

  /** What `writeDurably` fills. */
  emptyFile(file: FileHandle, path: string, isUncached: boolean): EmptyFile {
    return {
      file,
      path,
      direct: isUncached ? this.direct : undefined,
      space: new DiskSpace(this.root, 'What you send'),
    }
  }

  /** Runs `fill` on a fresh file that is gone afterwards; what it wants to keep it publishes or renames. */
  async withTemp<T>(key: string, fill: (file: FileHandle, path: string) => Promise<T>): Promise<T> {
    const path = this.temp()
    const file = await onDisk(key, () => open(path, 'wx+', 0o600))
    try {
      return await fill(file, path)
    } finally {
      // Whether this succeeds changes nothing for the object; what stays behind is swept.
      await Promise.allSettled([file.close(), unlink(path)])
    }
  }

  /**
   * Gives a durable file its key, durably. A hard link, unlike a rename, never replaces an object that is there.
   * With `modifiedAt`, the object is as old as that, whatever the age of the file.
   */
  async publish(file: string, key: string, modifiedAt?: Date): Promise<void> {
    const path = this.pathOf(key)
    const folder = dirname(path)
    await this.#linkInto(folder, file, path, key)
    try {
      await onDisk(key, async () => {
        await syncFolder(folder)
        await this.#folders.ensure(folder)
        // Last, since it changes the file, which stays when a step before it fails.
        if (modifiedAt) await utimes(path, modifiedAt, modifiedAt)
      })
    } catch (error) {
      await onDisk(key, () => unlink(path))
      throw error
    }
  }

  async #linkInto(folder: string, file: string, path: string, key: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await this.#folders.ensure(folder)
        return await link(file, path)
      } catch (error) {
        if (!hasCode(error, 'ENOENT') || tries === PUBLISH_TRIES)
          return onDisk(key, () => Promise.reject(error))
        this.#folders.forget(folder)
      }
    }
  }

  async remove(key: string): Promise<void> {
    const path = this.pathOf(key)
    try {
      await onDisk(key, () => unlink(path))
    } catch (error) {
      if (!isAbsence(error)) throw error
      return this.requireRoot(key)
    }
    await onDisk(key, () => this.#folders.prune(dirname(path)))
  }

  /** What `step` resolves to, or `undefined` when the file it needs is surely absent. */
  async unlessAbsent<T>(key: string, step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await onDisk(key, step)
    } catch (error) {
      if (!isAbsence(error)) throw error
      await this.requireRoot(key)
      return undefined
    }
  }

  /** An unmounted disk makes every object look absent; only a root that is in place can say so. */
  async requireRoot(key: string): Promise<void> {
    try {
      await access(this.temps)
    } catch (error) {
      throw new StoreError('transient', key, 'the folder of the store is out of reach', { cause: error })
    }
  }
}

function isAbsence(error: unknown): boolean {
  return error instanceof StoreError && hasCode(error.cause, 'ENOENT', 'ENOTDIR')
}
