import type { Ctx } from '../../../core/ctx.ts'
import {
  MAX_JUDGED_BYTES,
  MODE,
  type CommitBuilder,
  type KnownBlob,
  type PathEntry,
  type Snapshot,
} from '../../../core/git/index.ts'
import {
  findInRepo,
  findUsable,
  formatPointer,
  parsePointer,
  POINTER_MAX_BYTES,
} from '../../../core/lfs/index.ts'
import { Problem } from '../../../platform/problems/index.ts'
import { ChangeList } from './change-list.ts'
import { judged, needsJudging, refuseCopy, requireSound } from './judged-content.ts'
import { checkOperation, folderPath, type CommitOperation } from './operations.ts'
import { bytesOf, keepStart, KeptContents, maxBytesToRead } from './file-content.ts'
import { fileTooLarge, lfsMissing } from './file-problems.ts'
import { entryNotFound } from '../read/revision.ts'
import { Turns } from '../../../platform/flow/index.ts'

/**
 * Takes the operations of one commit one by one: contents go straight into the builder's temporary pack, so that a
 * stream of any length holds one file in memory.
 */
export class Staging {
  readonly changes: ChangeList
  readonly #kept = new KeptContents()
  readonly #ctx: Ctx
  readonly #builder: CommitBuilder
  readonly #snapshot: Snapshot
  /** The commit it was read against; absent in an empty repo. */
  readonly #base: string | undefined
  #count = 0
  #addedBytes = 0
  readonly #turn = new Turns()

  constructor(ctx: Ctx, builder: CommitBuilder, snapshot: Snapshot, base: string | undefined) {
    this.#ctx = ctx
    this.#builder = builder
    this.#snapshot = snapshot
    this.#base = base
    this.changes = new ChangeList(builder, async (path, kind) => {
      const entry = await this.#entryAt(path)
      return entry !== undefined && (entry.kind === 'directory') === (kind === 'folder')
    })
  }

  get count(): number {
    return this.#count
  }

  /** Bytes of the contents that came along, those of pointers' objects not among them. */
  get addedBytes(): number {
    return this.#addedBytes
  }

  /** What is known of a blob that the commit brings. */
  known(oid: string): KnownBlob | undefined {
    return this.#builder.blob(oid)
  }

  /** Problems `validation-failed`, `file-too-large`, `entry-not-found`, `revision-not-found`, `lfs-object-missing`. */
  async take(operation: CommitOperation): Promise<void> {
    const n = this.#count++
    // Small files are packed without leaving the thread, so a long list would hold up everyone else.
    await this.#turn.breathe()
    checkOperation(operation, n)
    if (operation.op === 'add') return this.#add(operation, n)
    if (operation.op === 'add-lfs') return this.#addLfs(operation, n)
    if (operation.op === 'delete') return this.#delete(operation, n)
    if (operation.op === 'delete-folder') return this.changes.deleteFolder(folderPath(operation.path), n)
    await this.#copy(operation, n)
    if (operation.op === 'rename') await this.changes.delete(operation.from, n)
  }

  async #delete({ path, isRecursive }: CommitOperation & { op: 'delete' }, n: number): Promise<void> {
    if (isRecursive && !this.changes.puts.has(path)) {
      const entry = await this.#entryAt(path)
      if (this.changes.isFolder(path) || entry?.kind === 'directory')
        return this.changes.deleteFolder(path, n)
    }
    return this.changes.delete(path, n)
  }

  async #add({ path, content, mode }: CommitOperation & { op: 'add' }, n: number): Promise<void> {
    const sizeBytes = content instanceof Uint8Array ? content.byteLength : content.sizeBytes
    const maxBytes = this.#ctx.config.git.max_blob_size
    if (sizeBytes > maxBytes) throw fileTooLarge(path, maxBytes)
    const isRead = sizeBytes < POINTER_MAX_BYTES || sizeBytes <= maxBytesToRead(path)
    const bytes = judged(n, path, await bytesOf(content, isRead))
    const long = 'sizeBytes' in bytes && path === 'README.md' ? keepStart(bytes.source) : undefined
    const oid =
      'sizeBytes' in bytes
        ? await this.#builder.putFile(path, (long ?? bytes).source, sizeBytes, mode)
        : await this.#builder.putBytes(path, bytes, mode)
    const isText = mode !== MODE.symlink
    const text = 'sizeBytes' in bytes || !isText ? undefined : bytes
    const start = isText ? (long?.start() ?? text) : undefined
    // A pointer is a pointer however it came: the garbage collector will take it for one.
    const pointer = text && parsePointer(text)
    if (!pointer) this.#addedBytes += sizeBytes
    const kept = start && this.#kept.mayKeep(path, sizeBytes) ? { content: start } : {}
    this.#note(path, oid, n, pointer ? { sizeBytes: pointer.sizeBytes, pointer } : { sizeBytes, ...kept })
  }

  async #addLfs({ path, sha256, sizeBytes }: CommitOperation & { op: 'add-lfs' }, n: number): Promise<void> {
    const pointer = { sha256, sizeBytes: sizeBytes ?? (await this.#sizeOf(path, sha256)) }
    const text = formatPointer(pointer)
    requireSound(n, path, text)
    const oid = await this.#builder.putBytes(path, text)
    this.#note(path, oid, n, { sizeBytes: pointer.sizeBytes, pointer })
  }

  /** Hub clients leave the size out when they copy (hub-wire.md §7.2); a bare digest is no proof of possession. */
  async #sizeOf(path: string, sha256: string): Promise<number> {
    const { db } = this.#ctx
    const object =
      (await findInRepo(db, this.#ctx, this.#snapshot.repoId, [sha256])).get(sha256) ??
      (await findUsable(db, this.#ctx, [sha256])).get(sha256)
    if (!object) throw lfsMissing([{ path, sha256 }])
    return object.size
  }

  async #copy(copy: CommitOperation & { op: 'copy' | 'rename' }, n: number): Promise<void> {
    const revision = copy.op === 'copy' ? copy.fromRevision : undefined
    const put = revision === undefined ? this.changes.puts.get(copy.from) : undefined
    const known = put && this.#builder.blob(put.oid)
    if (put && known) {
      if (needsJudging(copy.from, copy.to)) refuseCopy(n)
      this.#builder.putBlob(copy.to, { oid: put.oid, mode: MODE.file })
      return this.#note(copy.to, put.oid, n, known)
    }
    const entry =
      revision === undefined
        ? this.changes.isGone(copy.from)
          ? undefined
          : await this.#entryAt(copy.from)
        : await this.#entryAtRevision(copy.from, revision)
    if (!entry || entry.kind === 'directory' || entry.kind === 'submodule')
      throw entryNotFound(copy.from, this.#base ?? '')
    const [facts] = await this.#snapshot.describe([entry.oid])
    if (needsJudging(copy.from, copy.to)) await this.#judgeCopy(copy, n, entry)
    this.#builder.putBlob(copy.to, entry)
    const pointer = entry.kind === 'file' ? facts?.pointer : undefined
    const sizeBytes = pointer?.sizeBytes ?? facts?.sizeBytes ?? 0
    this.#note(copy.to, entry.oid, n, { sizeBytes, ...(pointer ? { pointer } : {}) })
  }

  async #judgeCopy({ to }: { to: string }, n: number, entry: PathEntry): Promise<void> {
    const sizeBytes = entry.kind === 'file' ? await this.#snapshot.blobSize(entry.oid) : undefined
    if (sizeBytes === undefined || sizeBytes > MAX_JUDGED_BYTES) refuseCopy(n)
    const bytes = await this.#snapshot.readBlob(entry.oid, MAX_JUDGED_BYTES)
    if (!bytes) refuseCopy(n)
    requireSound(n, to, bytes, 'to')
  }

  async #entryAtRevision(path: string, revision: string): Promise<PathEntry | undefined> {
    const resolved = await this.#snapshot.resolve(revision)
    if (!resolved) throw new Problem('revision-not-found', { detail: `Invalid rev id: ${revision}` })
    const entry = await this.#snapshot.entryAt(resolved.commit, path)
    return entry && { ...entry, path }
  }

  async #entryAt(path: string): Promise<PathEntry | undefined> {
    const entry = this.#base === undefined ? undefined : await this.#snapshot.entryAt(this.#base, path)
    return entry && { ...entry, path }
  }

  #note(path: string, oid: string, n: number, blob: KnownBlob): void {
    this.changes.put(path, { oid, n })
    this.#builder.describe(oid, blob)
  }
}
