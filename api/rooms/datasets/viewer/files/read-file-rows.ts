import type { Ctx } from '../../../../core/ctx.ts'
import { sourceReader } from '../../../../core/parsers/index.ts'
import { Problem } from '../../../../platform/problems/index.ts'
import { openFileAt, openRevision } from '../../../content/index.ts'
import { requireRepo, type RepoAddress } from '../../../repos/index.ts'
import { DataFault } from '../fault.ts'
import { featuresText, rowText } from '../page-text.ts'
import { readData } from '../threads.ts'
import { dataFormatOf } from './formats.ts'

export interface FilePage {
  revision: string
  path: string
  offset: number
  length: number
}

const unreadable = (detail: string) => new Problem('invalid-request', { detail })

/**
 * Rows of a CSV, TSV, JSONL, Parquet or Arrow file at a revision, as JSON text. The caller may read the files of the repo.
 * Problem `invalid-request` for other files, and for those that cannot be read, with the reason.
 */
export async function readFileRows(ctx: Ctx, address: RepoAddress, page: FilePage): Promise<string> {
  const { revision, path, offset, length } = page
  const repo = await requireRepo(ctx, address, 'repo.files')
  const file = await openFileAt(ctx, repo, await openRevision(ctx, repo.id, revision), path)
  const format = dataFormatOf(path)
  if (!format) throw unreadable('Rows are shown of CSV, TSV, JSONL, Parquet and Arrow files.')
  const { max_request_bytes: limit, max_cell_bytes: cellBytes } = ctx.config.viewer
  const reader = sourceReader(file.sizeBytes, (range, signal) => file.open(range, signal))
  const order = { work: 'file', format, key: file.etag, offset, length, limit, cellBytes } as const
  const { file: found } = await readData(ctx, { key: file.etag, reader }, order).catch((error: unknown) => {
    throw error instanceof DataFault ? unreadable(error.message) : error
  })
  if (!found) throw new Error('a thread that was asked for rows answers them')
  const { features, rows, truncated, total } = found
  // Media of a file that was not converted have no addresses.
  const texts = rows.map((row, i) => rowText({ ...row, index: offset + i }, features, () => 'null'))
  const more = JSON.stringify({ truncated, ...(total === undefined ? {} : { num_rows: total }) })
  return `{"features":${featuresText(features)},"rows":[${texts.join(',')}],${more.slice(1)}`
}
