import { formatPointer, type Pointer } from '../lfs/pointer.ts'
import type { ByteSource } from '../storage/index.ts'
import type { Git } from './git.ts'
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

  constructor(git: Git, repoId: string) {
    this.repoId = repoId
    this.writer = new PackWriter(git.store.tempDir)
  }

  /** Streams a file in; returns its blob's oid. Throws `WrongSize` when the source has another length. */
  async putFile(path: string, source: ByteSource, sizeBytes: number, mode?: number): Promise<string> {
    return this.#put(path, await this.writer.addBlob(source, sizeBytes), mode)
  }

  /** As `putFile`, of bytes at hand. */
  async putBytes(path: string, bytes: Buffer, mode?: number): Promise<string> {
    return this.#put(path, await this.writer.add('blob', bytes), mode)
  }

  /** Writes a Git LFS pointer; that the object may be used was checked before. */
  async putPointer(path: string, pointer: Pointer): Promise<string> {
    return this.putBytes(path, formatPointer(pointer))
  }

  /** Puts a blob the Repo holds already, such as that of an entry to be copied. */
  putBlob(path: string, blob: { oid: string; mode: number }): void {
    this.#put(path, oidFromHex(blob.oid), blob.mode)
  }

  delete(path: string): void {
    this.edits.push({ kind: 'delete', path })
  }

  deleteFolder(path: string): void {
    this.edits.push({ kind: 'delete-folder', path })
  }

  async dispose(): Promise<void> {
    await this.writer.dispose()
  }

  #put(path: string, oid: Buffer, mode: number | undefined): string {
    this.edits.push({ kind: 'put', path, oid, ...(mode === undefined ? {} : { mode }) })
    return oid.toString('hex')
  }
}
