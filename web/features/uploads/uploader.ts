import { ApiProblem } from '../../../shared/client.ts'
import {
  base64,
  completeUpload,
  partTargets,
  sendParts,
  type PutPart,
  type Transfer,
} from '../../../shared/transfer.ts'
import { api } from '../../lib/api.ts'
import { targetOf, type CommitChoice } from '../../lib/commit-ways.ts'
import { problemText } from '../../lib/form-errors.ts'
import { askMe } from '../../lib/session.ts'
import type { RepoAddress, UploadPlanFile } from '../../lib/types.ts'
import { commitBatches, operationOf } from './commit-batches.ts'
import { Hasher } from './hasher.ts'
import { forget, recall, remember } from './memory.ts'
import { readable, readChosen } from './read-chosen.ts'
import { UploadStore, type UploadEntry } from './state.ts'
import { signedOut, stopReason } from './stop-reason.ts'
import { xhrPut } from './xhr-put.ts'

/** Files asked about in one plan. */
const planBatch = 200
/** Bytes of a file that tell the server whether it is text (native-api.md §4, UploadPlanRequest). */
const sampleBytes = 512

/** How an upload is committed. */
type Goal = Pick<CommitChoice, 'way' | 'isDraft'>

/** What an upload led to: the number of the pull request that it opened, if it did. */
export interface Uploaded {
  opened: number | undefined
}

/** Carries chosen files into a branch or a pull request: hash, plan, send, commit. What was sent is kept when a run stops. */
export class Uploader {
  readonly store = new UploadStore()
  private hasher: Hasher | undefined
  private readonly hashes = new Map<string, Promise<string>>()
  private abort: AbortController | undefined

  constructor(address: RepoAddress, rev: string) {
    this.address = address
    this.rev = rev
  }
  private readonly address: RepoAddress
  private readonly rev: string

  /** Takes files in and begins to hash them. A file dropped on a path replaces the one that was there. */
  add(files: { path: string; file: File }[]): void {
    for (const { path, file } of files) {
      const known = recall(this.address, path, file)
      this.store.put({ path, file, phase: 'hashing', doneBytes: 0 })
      this.hashes.set(path, known ? Promise.resolve(known.sha256) : this.hash(path, file))
      void this.hashes.get(path)?.then(
        (sha256) => this.store.patch(path, { phase: 'ready', sha256 }),
        (error: unknown) => this.store.patch(path, { phase: 'failed', fault: problemText(error) }),
      )
    }
  }

  remove(path: string): void {
    this.hashes.delete(path)
    this.store.remove(path)
  }

  /** Runs to the commit and answers what came of it; `undefined` when the run stopped, with the reason in the state. */
  async run(title: string, goal: Goal): Promise<Uploaded | undefined> {
    const abort = new AbortController()
    this.abort = abort
    try {
      this.store.enter('planning')
      await Promise.all(this.hashes.values())
      if (!(await askMe(abort.signal))) throw new Error(signedOut)
      const plan = await this.plan(goal, abort.signal)
      this.store.enter('sending')
      for (const file of plan) await this.carry(file, abort.signal)
      this.store.enter('committing')
      const uploaded = await this.commit(title, goal, abort.signal)
      forget(
        this.address,
        this.store.entries().map((entry) => entry.path),
      )
      this.store.enter('done')
      return uploaded
    } catch (error) {
      const isStopped = abort.signal.aborted
      this.store.enter('choosing', isStopped ? 'Stopped. What was sent is kept.' : await stopReason(error))
      return undefined
    }
  }

  /** Stops the run; a later one resumes from what the server holds. */
  cancel(): void {
    this.abort?.abort()
  }

  close(): void {
    this.cancel()
    this.hasher?.close()
    this.hasher = undefined
  }

  private hash(path: string, file: File): Promise<string> {
    this.hasher ??= new Hasher()
    const hash = this.hasher.hash(file, (doneBytes) => this.store.patch(path, { doneBytes }))
    return readable({ path, file }, hash)
  }

  private async plan({ way }: Goal, signal: AbortSignal): Promise<UploadPlanFile[]> {
    const entries = this.store.entries()
    const planned: UploadPlanFile[] = []
    for (let at = 0; at < entries.length; at += planBatch) {
      const files = await Promise.all(entries.slice(at, at + planBatch).map(describe))
      const body = { files, revision: this.rev, create_pull_request: way === 'pull_request' }
      const answer = await api.planUploads({ params: this.address, body }, { signal })
      for (const file of answer.files) this.store.patch(file.path, { mode: file.mode })
      planned.push(...answer.files)
    }
    return planned
  }

  private async carry({ path, mode, upload }: UploadPlanFile, signal: AbortSignal): Promise<void> {
    const entry = this.store.entries().find((known) => known.path === path)
    if (!entry || entry.phase === 'stored' || mode !== 'upload' || !upload) return
    this.store.patch(path, { phase: 'sending', doneBytes: 0 })
    const begun = await this.unfinished(entry, signal)
    if (begun?.status !== 'complete') {
      const at = begun
        ? {
            id: begun.id,
            partSize: begun.part_size,
            targets: begun.id === upload.id ? upload.parts : partTargets(this.address, begun),
            stored: begun.parts,
          }
        : { id: upload.id, partSize: upload.part_size, targets: upload.parts, stored: [] }
      remember(this.address, { ...keepOf(entry), uploadId: at.id })
      const onProgress = (doneBytes: number) => this.store.patch(path, { doneBytes })
      const put: PutPart = (...sent) => readable(entry, xhrPut(...sent))
      const transfer: Transfer = { file: entry.file, put, signal, onProgress, ...at }
      const parts = await sendParts(transfer)
      this.store.patch(path, { phase: 'verifying' })
      await completeUpload(api, this.address, at.id, parts, signal)
    }
    this.store.patch(path, { phase: 'stored', doneBytes: entry.file.size })
  }

  /** The upload that an earlier run began for the same bytes, while the server still keeps it. */
  private async unfinished(entry: UploadEntry, signal: AbortSignal) {
    const known = recall(this.address, entry.path, entry.file)
    if (!known) return undefined
    try {
      const upload = await api.getUpload({ params: { ...this.address, id: known.uploadId } }, { signal })
      const isUsable =
        upload.sha256 === entry.sha256 && (upload.status === 'open' || upload.status === 'complete')
      return isUsable ? upload : undefined
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) return undefined
      throw error
    }
  }

  /** Files that are too much for one commit go on in the pull request that the first of them has opened. */
  private async commit(title: string, goal: Goal, signal: AbortSignal): Promise<Uploaded> {
    const batches = commitBatches(this.store.entries())
    let opened: number | undefined
    for (const [i, batch] of batches.entries()) {
      const operations = await Promise.all(batch.map(operationOf))
      const part = batches.length > 1 ? ` (${i + 1} of ${batches.length})` : ''
      const target = opened === undefined ? targetOf(this.rev, goal) : { branch: `refs/pr/${opened}` }
      const body = { ...target, title: title + part, operations }
      const made = await api.createCommit({ params: this.address, body }, { signal })
      opened ??= made.pull_request?.num
    }
    return { opened }
  }
}

const keepOf = ({ path, file, sha256 = '' }: UploadEntry) => ({
  path,
  sha256,
  size: file.size,
  lastModified: file.lastModified,
})

async function describe(entry: UploadEntry) {
  const { path, file, sha256 = '' } = entry
  const sample = base64(await readChosen(entry, file.slice(0, sampleBytes)))
  return { path, size: file.size, sha256, sample }
}
