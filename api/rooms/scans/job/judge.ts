import type { Ctx } from '../../../core/ctx.ts'
import type { Snapshot } from '../../../core/git/index.ts'
import { openObject } from '../../../core/lfs/index.ts'
import {
  FileFailure,
  sourceReader,
  type FileProblem,
  type RangedReader,
} from '../../../core/parsers/index.ts'
import { scan, SCANNER_VERSION } from '../../../core/scanning/index.ts'
import { Limiter } from '../../../platform/flow/index.ts'
import type { Db } from '../../../stores/db/index.ts'
import { StoreError } from '../../../stores/storage/index.ts'
import { underRules, type Rules } from '../rules/apply.ts'
import { findResults, keyOf, type Content, type Result, type ResultRow } from '../content.ts'

/** A content to be looked at, and where it lies. */
export interface Stored extends Content {
  sizeBytes: number
  isLarge: boolean
}

/** A verdict that is to be kept. */
export type Verdict = Omit<ResultRow, 'touched_at'>

const turnsOf = () => new Limiter({ perKey: 1 })

/** One server scans a large file once, though two jobs meet it at the same moment. */
const turns = (db: Db) => db.keep(turnsOf)

/**
 * The verdict on a content of a repo: the one that another job has made meanwhile, or a new one. Its bytes are read in
 * ranges. `undefined` where they are not here. Throws what may pass, such as an error of the store, and the signal's reason.
 */
export async function judge(
  ctx: Ctx,
  { snapshot, rules }: { snapshot: Snapshot; rules: Rules },
  stored: Stored,
  keep: (verdict: Verdict) => Promise<void>,
): Promise<Result | undefined> {
  const release = await turns(ctx.db).take({ key: keyOf(stored), signal: ctx.signal })
  try {
    const known = (await findResults(ctx.db, [stored])).get(keyOf(stored))
    if (known && known.version >= SCANNER_VERSION) return known
    const reader = await readerOf(ctx, snapshot, stored)
    const made = reader && (await verdictOn(ctx, stored, reader))
    const verdict = made && underRules(rules, made)
    if (verdict) await keep(verdict)
    return verdict
  } finally {
    release()
  }
}

async function readerOf(ctx: Ctx, snapshot: Snapshot, stored: Stored): Promise<RangedReader | undefined> {
  const { content, sizeBytes, isLarge } = stored
  if (!isLarge) {
    return sourceReader(sizeBytes, async (range) => {
      const blob = await snapshot.openBlob(content, range)
      if (!blob) throw new Error(`the blob ${content} is gone`)
      return blob.source
    })
  }
  const object = await openObject(ctx, snapshot.repoId, content)
  if (object.presence !== 'present') return undefined
  return sourceReader(object.sizeBytes, (range, signal) => object.open(range, signal))
}

/** What `scanFile` says of a file, as it is kept; `failed` where it ran out of time or memory. */
export async function verdictOn(
  { signal }: Pick<Ctx, 'signal'>,
  { content, reading }: Content,
  reader: RangedReader,
  scanFile: typeof scan = scan,
): Promise<Verdict | undefined> {
  const key = { content, reading, version: SCANNER_VERSION }
  try {
    const { status, isChecked, imports, problems } = await scanFile({ path: reading }, reader, signal)
    return {
      ...key,
      status,
      checked: isChecked,
      imports: imports.map(storable),
      problems: problems.map(storable),
    }
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'missing') return undefined
    if (!(error instanceof FileFailure)) throw error
    const problem: FileProblem = {
      code: error.code,
      message:
        error.code === 'crashed'
          ? 'The scan of this file broke off by a fault of the scanner.'
          : error.message,
      severity: 'error',
    }
    return { ...key, status: 'failed', checked: true, imports: [], problems: [problem] }
  }
}

/** Names in a pickle are anything; Postgres keeps neither NUL nor half a character. */
const storable = <T extends object>(found: T): T =>
  Object.fromEntries(
    Object.entries(found).map(([key, value]) => [
      key,
      typeof value === 'string' ? Buffer.from(value.replaceAll('\0', '\uFFFD')).toString() : value,
    ]),
  ) as T
