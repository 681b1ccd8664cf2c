import { apiBase, operationUrl, problemOf, type Client, type Fetch, type Operations } from './client.ts'
import { retrying } from './retry.ts'
import { Sha256 } from './sha256.ts'

/** A repo's address as the native API writes it: `type` in its path form, `models` or `datasets`. */
export type RepoParams = Operations['getRepo']['args']['params']

/** Bytes read at once while hashing: large enough that the read is not the bottleneck, small enough to show progress. */
const hashChunkBytes = 4 * 1024 * 1024

/** The path of a repo's page and files: models at the root, datasets below `/datasets`. */
export function repoPath(repo: { type: string; ns: string; name: string }): string {
  const prefix = repo.type.startsWith('dataset') ? '/datasets' : ''
  return `${prefix}/${encodeURIComponent(repo.ns)}/${encodeURIComponent(repo.name)}`
}

/** The address of a file's bytes: `resolve` follows a Pointer to the LFS object, `raw` answers the blob itself. */
export function fileUrl(
  repo: RepoParams,
  rev: string,
  path: string,
  kind: 'resolve' | 'raw' = 'resolve',
): string {
  return `${repoPath(repo)}/${kind}/${encodeURIComponent(rev)}/${path.split('/').map(encodeURIComponent).join('/')}`
}

/**
 * Fetches a file's bytes, or the range `[start, end]` of them (both inclusive).
 * @throws ApiProblem when the server refuses
 */
export async function download(
  url: string,
  options: { fetch?: Fetch; token?: string; range?: [start: number, end: number]; signal?: AbortSignal } = {},
): Promise<Response> {
  const headers: Record<string, string> = {}
  if (options.token) headers['authorization'] = `Bearer ${options.token}`
  if (options.range) headers['range'] = `bytes=${options.range[0]}-${options.range[1]}`
  const init: RequestInit = { headers, credentials: 'same-origin' }
  if (options.signal) init.signal = options.signal
  const response = await (options.fetch ?? fetch)(url, init)
  if (!response.ok) throw await problemOf(response)
  return response
}

/** SHA-256 of a file as hex, read in pieces; `onProgress` hears how many bytes are done. */
export async function hashBlob(
  file: Blob,
  onProgress: (doneBytes: number) => void = () => {},
  signal?: AbortSignal,
): Promise<string> {
  const hash = new Sha256()
  for (let at = 0; at < file.size; at += hashChunkBytes) {
    signal?.throwIfAborted()
    hash.update(new Uint8Array(await file.slice(at, at + hashChunkBytes).arrayBuffer()))
    onProgress(Math.min(at + hashChunkBytes, file.size))
  }
  return hash.hex()
}

/** Bytes as base64 (RFC 4648 §4), as commits carry the content of small files. */
export function base64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}

/** Where one part of an upload goes. */
export interface PartTarget {
  n: number
  url: string
  headers?: Record<string, string> | undefined
}
export interface StoredPart {
  n: number
  etag: string
}
/** Sends one part and answers its ETag; throws {@link ApiProblem} when it is refused. */
export type PutPart = (
  target: PartTarget,
  body: Blob,
  options: { signal?: AbortSignal | undefined; onProgress: (sentBytes: number) => void },
) => Promise<string>

/** A {@link PutPart} on `fetch`, which tells no progress within a Part. */
export function fetchPut(options: { fetch?: Fetch; headers?: Record<string, string> } = {}): PutPart {
  return async (target, body, { signal, onProgress }) => {
    const init: RequestInit = { method: 'PUT', body, headers: { ...options.headers, ...target.headers } }
    if (signal) init.signal = signal
    const response = await (options.fetch ?? fetch)(target.url, init)
    if (!response.ok) throw await problemOf(response)
    onProgress(body.size)
    return response.headers.get('etag') ?? ''
  }
}

/**
 * The parts of an upload that the server itself receives: how an interrupted upload resumes from its id alone.
 * `baseUrl` is the server's origin; empty for the page's own.
 */
export function partTargets(
  repo: RepoParams,
  upload: { id: string; size: number; part_size: number },
  baseUrl = '',
): PartTarget[] {
  const count = Math.max(1, Math.ceil(upload.size / upload.part_size))
  return Array.from({ length: count }, (_, i) => ({
    n: i + 1,
    url: operationUrl('putUploadPart', { params: { ...repo, id: upload.id, n: i + 1 } }, baseUrl),
    headers: { 'content-type': 'application/octet-stream' },
  }))
}

/** What an upload needs to be carried through. */
export interface Transfer {
  file: Blob
  partSize: number
  targets: PartTarget[]
  /** Parts the server already holds. */
  stored?: StoredPart[]
  put: PutPart
  concurrency?: number
  signal?: AbortSignal | undefined
  onProgress?: (doneBytes: number) => void
}

/** Sends every part that is not stored yet, a few at a time, and answers all of them in order. */
export async function sendParts(transfer: Transfer): Promise<StoredPart[]> {
  const { file, partSize, targets, put, signal, onProgress = () => {} } = transfer
  const done = new Map((transfer.stored ?? []).map((part) => [part.n, part.etag]))
  const bodyOf = (n: number) => file.slice((n - 1) * partSize, n * partSize)
  const sent = new Map([...done.keys()].map((n) => [n, bodyOf(n).size]))
  const report = (n: number, bytes: number) => {
    sent.set(n, bytes)
    onProgress([...sent.values()].reduce((sum, value) => sum + value, 0))
  }
  const queue = targets.filter((target) => !done.has(target.n))
  const worker = async () => {
    for (let target = queue.shift(); target; target = queue.shift()) {
      const { n } = target
      const goal = target
      const body = bodyOf(n)
      done.set(
        n,
        await retrying(() => put(goal, body, { signal, onProgress: (bytes) => report(n, bytes) }), signal),
      )
      report(n, body.size)
    }
  }
  await Promise.all(Array.from({ length: transfer.concurrency ?? 3 }, worker))
  return [...done].map(([n, etag]) => ({ n, etag })).sort((a, b) => a.n - b.n)
}

/** Asks the server to assemble and verify an upload; a 503 keeps it and the same request is sent again. */
export function completeUpload(
  client: Client,
  repo: RepoParams,
  id: string,
  parts: StoredPart[],
  signal?: AbortSignal,
) {
  return retrying(
    () => client.completeUpload({ params: { ...repo, id }, body: { parts } }, { signal }),
    signal,
  )
}

/** The address of a job's server-sent events. */
export function jobEventsUrl(id: string): string {
  return `${apiBase}/jobs/${encodeURIComponent(id)}/events`
}
