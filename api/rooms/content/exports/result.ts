import { z } from 'zod'
import type { Ctx } from '../../../core/ctx.ts'

const LINK_MS = 15 * 60_000

const Result = z.object({ key: z.string(), size: z.number(), file_name: z.string() })

/** What a finished export says of its file. */
export const exportResult = (result: unknown): z.output<typeof Result> => Result.parse(result)

/** A finished export as its caller sees it: a link of their own, and the size. */
export function presentExport(
  { origin, secrets, now }: Ctx,
  { id, result }: { id: string; result: unknown },
): { url: string; size: number } {
  const { size } = exportResult(result)
  // Of the host the caller used: there their session counts.
  const url = `${origin.baseUrl}/api/service/v1/exports/${id}`
  return { url: secrets.signUrl('GET', url, new Date(now().getTime() + LINK_MS)), size }
}

/** Media types of the files, by the kind of job that makes them. */
export const exportTypes = new Map([
  ['zip.export', 'application/zip'],
  ['dataset.export', 'application/vnd.apache.parquet'],
])
