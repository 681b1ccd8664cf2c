import type { Ctx } from '../../../core/ctx.ts'
import type { PathEntry, Snapshot } from '../../../core/git/index.ts'
import type { RunningJob } from '../../../core/jobs/index.ts'
import { SCANNER_VERSION } from '../../../core/scanning/index.ts'
import { Turns } from '../../../platform/flow/index.ts'
import { contentOf, findFindings, findResults, keyOf, sizeOf, type Content, type Result } from '../content.ts'
import { underRules, type Rules } from '../rules/apply.ts'
import { rejudgeRows } from '../rules/rejudge-rows.ts'
import { judge, type Stored, type Verdict } from './judge.ts'
import { keepVerdicts, unusedIn } from './keep.ts'
import { Tally } from './tally.ts'

/** Files that are asked about, and verdicts that are written, together. */
const BATCH = 50
/** What has been found is written at least so often: a worker that dies loses no more. */
const WRITE_EVERY_MS = 1000

interface File extends Stored {
  path: string
}

/** What a job of scans works with. One that looks at many repos says nothing of each. */
export type ScanJob = Pick<RunningJob, 'write' | 'progress'> & Partial<Pick<RunningJob, 'log'>>

/** What verdicts are counted by. */
interface Under {
  rules: Rules
  /** Results that are there may be of earlier rules: they are judged again. */
  isAgain: boolean
}

/** Looks at the files of one repo, in batches. What has a verdict of this version is not looked at again. */
export class RepoScan {
  readonly #ctx: Ctx
  readonly #snapshot: Snapshot
  readonly #job: ScanJob
  readonly #under: Under
  /** SQLite answers in this thread, and small files are judged faster than the loop turns. */
  readonly #turns: Turns
  #kept: Verdict[] = []
  /** Keys of the batch under way whose verdicts were made here. */
  readonly #made = new Set<string>()
  #writtenAt = performance.now()
  /** Files that were looked up or looked at. */
  files = 0
  /** Contents that this run has looked at. */
  scanned = 0

  constructor(ctx: Ctx, snapshot: Snapshot, job: ScanJob, under: Under) {
    this.#ctx = ctx
    this.#snapshot = snapshot
    this.#job = job
    this.#under = under
    this.#turns = new Turns(ctx)
  }

  /** Takes in entries of a tree and counts their verdicts. */
  async add(entries: AsyncIterable<PathEntry>, tally = new Tally()): Promise<Tally> {
    let batch: PathEntry[] = []
    for await (const entry of entries) {
      if (entry.kind !== 'file') continue
      batch.push(entry)
      if (batch.length < BATCH) continue
      await this.#take(batch, tally)
      batch = []
    }
    await this.#take(batch, tally)
    return tally
  }

  async #take(entries: PathEntry[], tally: Tally): Promise<void> {
    await this.#turns.breathe()
    const files = await this.#described(entries)
    await this.#turns.breathe()
    const known = await this.#known(files)
    const uses = await unusedIn(this.#ctx.db, this.#snapshot.repoId, files)
    const late = uses.filter((use) => !isCurrent(known, use))
    // A result that `gc` takes away in this moment is made again.
    for (const gone of await this.#write(uses.filter((use) => isCurrent(known, use)))) known.delete(gone)
    for (const file of files) {
      await this.#turns.breathe()
      if (!isCurrent(known, file)) {
        const verdict = await this.#judge(file)
        if (verdict) known.set(keyOf(file), verdict)
      }
      tally.add(file.path, file.content, known.get(keyOf(file))?.status)
      this.files++
    }
    await this.#turns.breathe()
    // What another job has looked at meanwhile is noted here, too.
    await this.#write(late.filter((use) => known.has(keyOf(use)) && !this.#made.delete(keyOf(use))))
    this.#made.clear()
    await this.#job.progress(this.files)
  }

  async #judge(file: File): Promise<Result | undefined> {
    const at = { snapshot: this.#snapshot, rules: this.#under.rules }
    const verdict = await judge(this.#ctx, at, file, (made) => this.#keep(made, file.isLarge))
    if (!verdict || this.#made.has(keyOf(file))) return verdict
    return (await this.#known([file])).get(keyOf(file))
  }

  /** The results there are, by the rules of this run. */
  async #known(files: readonly File[]): Promise<Map<string, Result>> {
    const { db } = this.#ctx
    const results = await findResults(db, files)
    if (!this.#under.isAgain) return results
    const findings = await findFindings(db, files)
    const rows = [...results.values()].flatMap((row) => {
      const found = findings.get(keyOf(row))
      return found && found.imports.length > 0 ? [{ ...row, ...found }] : []
    })
    const stale = rows.filter((row) => underRules(this.#under.rules, row).status !== row.status)
    if (stale.length > 0) await this.#job.write((tx) => rejudgeRows(tx, db, stale))
    for (const row of stale) results.set(keyOf(row), underRules(this.#under.rules, row))
    return results
  }

  async #described(entries: PathEntry[]): Promise<File[]> {
    const facts = await this.#snapshot.describe(entries.map(({ oid }) => oid))
    return entries.flatMap((entry, i) => {
      const { sizeBytes, lfs } = sizeOf(facts[i])
      const content = contentOf({ ...entry, sizeBytes, lfs })
      return content ? [{ ...content, path: entry.path, sizeBytes, isLarge: lfs !== undefined }] : []
    })
  }

  /** The verdict on a large file is written at once: a job that waits for it must not scan the file again. */
  async #keep(verdict: Verdict, isLarge: boolean): Promise<void> {
    this.scanned++
    this.#kept.push(verdict)
    this.#made.add(keyOf(verdict))
    if (isLarge || performance.now() - this.#writtenAt > WRITE_EVERY_MS) await this.#write([])
  }

  /** Writes new verdicts, and that the repo holds these and `known`. Answers those of `known` that have gone. */
  async #write(known: Content[]): Promise<string[]> {
    const kept = this.#kept
    this.#kept = []
    this.#writtenAt = performance.now()
    if (kept.length === 0 && known.length === 0) return []
    const { repoId } = this.#snapshot
    return this.#job.write((tx) => keepVerdicts(tx, this.#ctx, repoId, { kept, known }))
  }
}

const isCurrent = (known: ReadonlyMap<string, { version: number }>, content: Content): boolean =>
  (known.get(keyOf(content))?.version ?? 0) >= SCANNER_VERSION
