import { formatPointer, type Pointer } from '../lfs/pointer.ts'
import type { ByteSource } from '../../stores/storage/index.ts'
import type { Git } from './git.ts'
import type { KnownBlob } from './known-blob.ts'
import { oidFromHex } from './objects/oid.ts'
import { PackWriter } from './packs/pack-writer.ts'
import type { Edit } from './objects/tree-edit.ts'

/**
 * Gathers the changes of one commit. Contents go straight into a temporary pack, so nothing large lies in memory, and
 * stay there while `commit` retries. Always `dispose` it. Calls must not overlap; paths are checked by the caller.
 */
export class CommitBuilder {
  readonly repoId: string
  readonly writer: PackWriter
  readonly edits: Edit[] = []
  readonly #blobs = new Map<string, KnownBlob>()

  constructor(git: Git, repoId: string) {
    this.repoId = repoId
    this.writer = new PackWriter(git.store.tempDir)
  }

  /** Streams a file in; returns its blob's oid. Throws `WrongSize` when the source has another length. */
  async putFile(path: string, source: ByteSource, sizeBytes: number, mode?: number): Promise<string> {
    return this.#putNew(path, await this.writer.addBlob(source, sizeBytes), sizeBytes, mode)
  }

  /** As `putFile`, of bytes at hand. */
  async putBytes(path: string, bytes: Buffer, mode?: number): Promise<string> {
    return this.#putNew(path, await this.writer.add('blob', bytes), bytes.length, mode)
  }

  /** Writes a Git LFS pointer; that the object may be used was checked before. */
  async putPointer(path: string, pointer: Pointer): Promise<string> {
    const oid = await this.putBytes(path, formatPointer(pointer))
    this.describe(oid, { sizeBytes: pointer.sizeBytes, pointer })
    return oid
  }

  /** Puts a blob the repo holds already, such as that of an entry to be copied. */
  putBlob(path: string, blob: { oid: string; mode: number }): void {
    this.#put(path, oidFromHex(blob.oid), blob.mode)
  }

  delete(path: string): void {
    this.edits.push({ kind: 'delete', path })
  }

  deleteFolder(path: string): void {
    this.edits.push({ kind: 'delete-folder', path })
  }

  /** What is known of a blob that was put here. */
  blob(oid: string): KnownBlob | undefined {
    return this.#blobs.get(oid)
  }

  /** Adds to what is known of a blob; what was kept of an equal one elsewhere stays. */
  describe(oid: string, blob: KnownBlob): void {
    this.#blobs.set(oid, { ...this.#blobs.get(oid), ...blob })
  }

  async dispose(): Promise<void> {
    await this.writer.dispose()
  }

  #putNew(path: string, oid: Buffer, sizeBytes: number, mode: number | undefined): string {
    this.#put(path, oid, mode)
    const hex = oid.toString('hex')
    if (!this.#blobs.has(hex)) this.#blobs.set(hex, { sizeBytes })
    return hex
  }

  #put(path: string, oid: Buffer, mode: number | undefined): void {
    this.edits.push({ kind: 'put', path, oid, ...(mode === undefined ? {} : { mode }) })
  }
}
