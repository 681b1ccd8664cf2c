import { expect, test } from 'vitest'
import { ApiProblem, createClient, operationUrl, type Fetch } from './client.ts'

const repo = { type: 'models', ns: 'ann', name: 'm' } as const

/** A `fetch` that answers one response and keeps what was asked. */
function answering(response: Response) {
  const asked: { url: string; init: RequestInit }[] = []
  const fetch: Fetch = async (url, init = {}) => {
    asked.push({ url, init })
    return response
  }
  return { fetch, asked }
}

const headersOf = (init: RequestInit | undefined) => new Headers(init?.headers)

test('path parameters are encoded whole, absent query parameters are left out', () => {
  const params = { ...repo, rev: 'refs/pr/1', path: 'a b/c.txt' }
  expect(operationUrl('getTreePath', { params, query: { limit: 5, cursor: undefined } }, 'http://hub/')).toBe(
    'http://hub/api/service/v1/repos/models/ann/m/tree/refs%2Fpr%2F1/a%20b%2Fc.txt?limit=5',
  )
  expect(() => operationUrl('getRepo', { params: { ...repo, name: '' } })).toThrow(RangeError)
})

test('state changes carry the CSRF token, reads do not', async () => {
  const { fetch, asked } = answering(Response.json({}))
  const client = createClient({ fetch, csrfToken: () => 'secret' })
  await client.updateMe({ body: { display_name: 'Ann' } })
  expect(headersOf(asked[0]?.init).get('x-csrf-token')).toBe('secret')
  expect(asked[0]?.init.body).toBe('{"display_name":"Ann"}')
  const read = answering(Response.json({}))
  await createClient({ fetch: read.fetch, csrfToken: () => 'secret', token: 'hf_x' }).getMe()
  expect(headersOf(read.asked[0]?.init).get('x-csrf-token')).toBeNull()
  expect(headersOf(read.asked[0]?.init).get('authorization')).toBe('Bearer hf_x')
})

test('an answer without a body is undefined', async () => {
  const { fetch } = answering(new Response(null, { status: 204 }))
  expect(await createClient({ fetch }).getMe()).toBeUndefined()
})

test('a refusal becomes an ApiProblem with everything the document says', async () => {
  const document = {
    title: 'The branch has moved',
    detail: 'Read it again.',
    code: 'commit-conflict',
    errors: [{ field: 'parent_commit', code: 'stale', message: 'not the head' }],
    request_id: 'r-1',
    current_commit: 'abc',
  }
  const { fetch } = answering(Response.json(document, { status: 409, headers: { 'retry-after': '3' } }))
  const failure = await createClient({ fetch })
    .getRepo({ params: repo })
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ApiProblem)
  expect(failure).toMatchObject({
    status: 409,
    code: 'commit-conflict',
    errors: document.errors,
    requestId: 'r-1',
    retryAfterS: 3,
    members: { current_commit: 'abc' },
  })
})

test('an answer that is no problem document still says what is known', async () => {
  const { fetch } = answering(
    new Response('<html>bad gateway</html>', { status: 502, headers: { 'x-request-id': 'r-2' } }),
  )
  await expect(createClient({ fetch }).getMe()).rejects.toMatchObject({
    status: 502,
    code: 'unknown',
    requestId: 'r-2',
  })
})

test('a server that cannot be reached is status 0, an aborted call throws its reason', async () => {
  const failing: Fetch = async () => {
    throw new TypeError('fetch failed')
  }
  await expect(createClient({ fetch: failing }).getMe()).rejects.toMatchObject({
    status: 0,
    code: 'unreachable',
  })
  const late: Fetch = async () => {
    throw new DOMException('signal timed out', 'TimeoutError')
  }
  await expect(createClient({ fetch: late }).getMe()).rejects.toMatchObject({ status: 0, code: 'no-answer' })
  const signal = AbortSignal.abort(new Error('left the page'))
  const aborting: Fetch = async () => {
    throw signal.reason
  }
  await expect(createClient({ fetch: aborting }).getMe({}, { signal })).rejects.toThrow('left the page')
})

test.each([
  ['3', 3],
  ['0', 0],
  ['-1', undefined],
  ['Infinity', undefined],
  ['soon', undefined],
  ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
])('Retry-After %s is %o seconds', (value, expected) => {
  expect(new ApiProblem(503, {}, new Headers({ 'retry-after': value })).retryAfterS).toBe(expected)
})
