import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ctx } from '../../../core/ctx.ts'
import { QueryProcesses } from '../query/engine/processes.ts'
import { requireExported } from '../viewer/endpoints/rows.ts'
import { openViewed, requireViewed } from '../viewer/open.ts'
import { optional, type Params } from '../viewer/params.ts'
import { ViewerFault } from '../viewer/viewer-fault.ts'
import { writeParquet } from './write-parquet.ts'

const processes = new QueryProcesses({ atOnce: 1, maxWaiting: 10 })

const MAX_ROWS = 10_000
const MAX_BYTES = 64 * 1024 * 1024

/** Where files are written, apart from those of other work. */
export const downloadDir = ({ config }: Pick<Ctx, 'config'>): string =>
  join(config.server.data_dir, 'viewer', 'download')

export interface SmallFile {
  bytes: Buffer
  fileName: string
  revision: string
}

/**
 * `/download`: the rows of a filter or a search as a Parquet file, at once. More rows than 10 000, and files above 64 MiB, are
 * refused: a job writes those.
 */
export async function downloadSmall(ctx: Ctx, params: Params, columns: string[]): Promise<SmallFile> {
  const viewed = await openViewed(ctx, await requireViewed(ctx, params))
  const { revision } = viewed
  try {
    const { config, split } = requireExported(viewed, params)
    const folder = join(downloadDir(ctx), randomUUID())
    await mkdir(folder, { recursive: true })
    try {
      const path = join(folder, 'rows.parquet')
      const asked = {
        where: optional(params, 'where'),
        orderby: optional(params, 'orderby'),
        query: optional(params, 'query'),
      }
      const wanted = { config, split, ...asked, ...(columns.length > 0 ? { columns } : {}) }
      const deadlineMs = ctx.config.viewer.max_scan_seconds
      const how = { processes, path, deadlineMs, maxRows: MAX_ROWS + 1 }
      const { rows, sizeBytes } = await writeParquet(ctx, viewed, wanted, how)
      if (rows > MAX_ROWS || sizeBytes > MAX_BYTES)
        throw new ViewerFault(
          'TooBigContentError',
          'More than 10,000 rows or 64 MiB match. Have a job write the file, or ask for fewer rows.',
        )
      return { bytes: await readFile(path), fileName: fileNameOf(viewed.repo, config, split), revision }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  } catch (error) {
    throw error instanceof ViewerFault ? Object.assign(error, { revision }) : error
  }
}

/** Names of configs may have any letter; those that headers cannot hold are left out. */
export const fileNameOf = (...parts: { name: string }[]): string =>
  `${parts.map(({ name }) => name.replaceAll(/[^\w.-]+/g, '_')).join('-')}.parquet`
