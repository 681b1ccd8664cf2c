import { operations, type Bytes, type Operations } from './operations.gen.ts'

export type * from './operations.gen.ts'

/** The path prefix of the native API (seed part 1, Conventions). */
export const apiBase = '/api/service/v1'

/** One faulty field of a request: its body path in dots, a stable code, and how to fix it. */
export interface FieldError {
  field: string
  code: string
  message: string
}

/** A failed call: the problem document (RFC 9457) the server answered, or what stood in its place. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string | undefined
  readonly errors: FieldError[]
  readonly requestId: string | undefined
  /** Seconds after which the same request may succeed, from `Retry-After`. */
  readonly retryAfterS: number | undefined
  /** Every member of the document, extension members such as `current_commit` included. */
  readonly members: Record<string, unknown>

  constructor(status: number, members: Record<string, unknown>, headers?: Headers) {
    const text = (key: string) => (typeof members[key] === 'string' ? members[key] : undefined)
    const title = text('title') ?? `The server answered ${status}`
    super(text('detail') ?? title)
    this.name = 'ApiProblem'
    this.status = status
    this.code = text('code') ?? (status === 0 ? 'unreachable' : 'unknown')
    this.title = title
    this.detail = text('detail')
    this.errors = Array.isArray(members['errors']) ? (members['errors'] as FieldError[]) : []
    this.requestId = text('request_id') ?? headers?.get('x-request-id') ?? undefined
    this.retryAfterS = seconds(headers?.get('retry-after'))
    this.members = members
  }
}

/** `fetch`, or anything that answers like it. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>

export interface ClientOptions {
  /** Origin of the server, such as `https://hub.example.org`; empty for the page's own origin. */
  baseUrl?: string
  /** An access token, sent as bearer. Without one the browser's session cookie is used. */
  token?: string | undefined
  /** The CSRF token of the session, `Me.csrf_token`; sent with every state change. */
  csrfToken?: () => string | undefined
  fetch?: Fetch
}

export interface CallOptions {
  signal?: AbortSignal | undefined
  headers?: Record<string, string>
}

type Args<K extends keyof Operations> = Operations[K]['args']
type Call<K extends keyof Operations> =
  object extends Args<K>
    ? (args?: Args<K>, options?: CallOptions) => Promise<Operations[K]['result']>
    : (args: Args<K>, options?: CallOptions) => Promise<Operations[K]['result']>

/** One method per operation of the OpenAPI document, named by its operationId; bytes go through `transfer.ts`. */
export type Client = {
  readonly [K in keyof Operations as Operations[K]['result'] extends Bytes ? never : K]: Call<K>
}

/** The parts of a call, before the generated types narrow them. */
interface AnyArgs {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/**
 * The address of an operation, path parameters percent-encoded (`refs/pr/1` becomes `refs%2Fpr%2F1`).
 * @throws RangeError when a path parameter is missing or empty
 */
export function operationUrl(name: keyof Operations, args: AnyArgs = {}, baseUrl = ''): string {
  const path = operations[name][1].replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = args.params?.[key]
    if (value === undefined || value === '') throw new RangeError(`${name} needs the path parameter ${key}`)
    return encodeURIComponent(String(value))
  })
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(args.query ?? {}))
    if (value !== undefined) query.append(key, Array.isArray(value) ? value.join(',') : String(value))
  const search = query.toString()
  return `${baseUrl.replace(/\/$/, '')}${apiBase}${path}${search && `?${search}`}`
}

/**
 * A typed client of the native API.
 * Every method throws {@link ApiProblem} when the server refuses or cannot be reached (status 0);
 * an aborted call throws the signal's reason.
 */
export function createClient(options: ClientOptions = {}): Client {
  const names = Object.keys(operations) as (keyof Operations)[]
  // The cast is sound: the table and the types are generated from the same document.
  return Object.fromEntries(
    names.map((name) => [name, (args?: AnyArgs, call?: CallOptions) => send(options, name, args, call)]),
  ) as unknown as Client
}

async function send(
  client: ClientOptions,
  name: keyof Operations,
  args: AnyArgs = {},
  call: CallOptions = {},
) {
  const method = operations[name][0].toUpperCase()
  const headers: Record<string, string> = { accept: 'application/json', ...call.headers }
  if (client.token) headers['authorization'] = `Bearer ${client.token}`
  const csrf = method === 'GET' ? undefined : client.csrfToken?.()
  if (csrf) headers['x-csrf-token'] = csrf
  if (args.body !== undefined) headers['content-type'] = 'application/json'
  const init: RequestInit = { method, headers, credentials: 'same-origin' }
  if (args.body !== undefined) init.body = JSON.stringify(args.body)
  if (call.signal) init.signal = call.signal
  const response = await reach(client.fetch ?? fetch, operationUrl(name, args, client.baseUrl), init)
  if (!response.ok) throw await problemOf(response)
  return response.status === 204 ? undefined : response.json()
}

/** Sends a request; an {@link ApiProblem} of status 0 says that no server answered it. */
export async function reach(fetcher: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetcher(url, init)
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    const isLate = cause instanceof DOMException && cause.name === 'TimeoutError'
    const members = isLate
      ? { title: 'The server does not answer', code: 'no-answer' }
      : { title: 'The server cannot be reached' }
    throw Object.assign(new ApiProblem(0, members), { cause })
  }
}

/** Codes of file addresses, which answer as hub clients expect: an `X-Error-Code` and a body `{ error }`. */
const hubCodes: Record<string, string> = {
  RepoNotFound: 'repo-not-found',
  RevisionNotFound: 'revision-not-found',
  EntryNotFound: 'entry-not-found',
  GatedRepo: 'gated',
}

/** Reads a failed answer into an {@link ApiProblem}, whatever its body holds. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const { code, detail, error, ...rest } = parseObject(await response.text()) ?? {}
  const members = {
    code: code ?? hubCodes[response.headers.get('x-error-code') ?? ''],
    detail: detail ?? error,
    ...rest,
  }
  return new ApiProblem(response.status, members, response.headers)
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function seconds(header: string | null | undefined): number | undefined {
  const value = Number(header ?? NaN)
  return Number.isFinite(value) && value >= 0 ? value : undefined
}
