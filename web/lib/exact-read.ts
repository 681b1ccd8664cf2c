import { ApiProblem, problemOf, reach } from '../../shared/client.ts'
import { fetchInTime } from './api.ts'
import { parseExact } from './exact-json.ts'

/** What the viewer's own error codes mean to people. */
const titles: Record<string, string> = {
  ResponseNotReady: 'These rows are not ready yet',
  TooBigContentError: 'These rows are too large to show',
  InvalidParameter: 'This filter cannot be read',
  ResponseNotFound: 'This part of the dataset does not exist',
  TooManyColumnsError: 'This table has too many columns to show',
  NotSupportedDisabledViewerError: 'The viewer is switched off for this dataset',
}

/**
 * Reads an answer that may hold integers beyond 2^53, which become `bigint`.
 * @throws ApiProblem when the server refuses or cannot be reached; with the viewer's own code where the answer has one
 */
export async function readExact<T>(url: string, signal: AbortSignal): Promise<T> {
  const headers = { accept: 'application/json' }
  const response = await reach(fetchInTime, url, {
    method: 'GET',
    credentials: 'same-origin',
    headers,
    signal,
  })
  if (response.ok) return parseExact(await response.text()) as T
  const viewerCode = response.headers.get('x-error-code') ?? undefined
  const { status, code, members } = await problemOf(response)
  const own = code === 'unknown' && viewerCode !== undefined ? { code: viewerCode } : {}
  const title = viewerCode === undefined ? undefined : titles[viewerCode]
  throw new ApiProblem(status, { ...members, ...own, ...(title ? { title } : {}) }, response.headers)
}

/** Tries after which an answer that is still being made is no longer awaited: about two minutes. */
const maxWaits = 60

/** Asks again for what the server is still preparing, and for what failed in passing. */
export function isWorthWaiting(tries: number, error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false
  if (error.code === 'ResponseNotReady') return tries < maxWaits
  const passing = [0, 408, 429, 502, 503, 504].includes(error.status)
  return passing && tries < 2
}
