import { expect, test } from 'vitest'
import { ApiProblem } from './client.ts'
import {
  base64,
  download,
  fetchPut,
  fileUrl,
  hashBlob,
  partTargets,
  sendParts,
  type PutPart,
} from './transfer.ts'

const repo = { type: 'datasets', ns: 'ann', name: 'd' } as const

test('datasets lie below /datasets, a revision is one segment, a path keeps its own', () => {
  expect(fileUrl(repo, 'refs/pr/1', 'a b/c#.txt')).toBe(
    '/datasets/ann/d/resolve/refs%2Fpr%2F1/a%20b/c%23.txt',
  )
  expect(fileUrl({ ...repo, type: 'models' }, 'main', 'x', 'raw')).toBe('/ann/d/raw/main/x')
})

test('an upload is cut into the Parts that the server itself receives', () => {
  const targets = partTargets(repo, { id: 'u', size: 25, part_size: 10 })
  expect(targets.map(({ n, url }) => [n, url.split('/uploads/')[1]])).toEqual([
    [1, 'u/parts/1'],
    [2, 'u/parts/2'],
    [3, 'u/parts/3'],
  ])
})

test('only the Parts that are not stored are sent, and all are reported in order', async () => {
  const sent: [number, string][] = []
  const progress: number[] = []
  const put: PutPart = async ({ n }, body, { onProgress }) => {
    sent.push([n, await body.text()])
    onProgress(body.size)
    return `etag-${n}`
  }
  const parts = await sendParts({
    file: new Blob(['aaaabbbbcc']),
    partSize: 4,
    targets: partTargets(repo, { id: 'u', size: 10, part_size: 4 }),
    stored: [{ n: 2, etag: 'kept' }],
    put,
    concurrency: 1,
    onProgress: (done) => progress.push(done),
  })
  expect(sent).toEqual([
    [1, 'aaaa'],
    [3, 'cc'],
  ])
  expect(parts).toEqual([
    { n: 1, etag: 'etag-1' },
    { n: 2, etag: 'kept' },
    { n: 3, etag: 'etag-3' },
  ])
  expect(progress.at(-1)).toBe(10)
})

test('a Part that fails for a passing reason is sent again, a refused one is not', async () => {
  let tries = 0
  const once = {
    file: new Blob(['x']),
    partSize: 1,
    targets: partTargets(repo, { id: 'u', size: 1, part_size: 1 }),
  }
  const flaky: PutPart = async () => {
    if (++tries < 3) throw new ApiProblem(503, {}, new Headers({ 'retry-after': '0' }))
    return 'etag'
  }
  expect(await sendParts({ ...once, put: flaky })).toEqual([{ n: 1, etag: 'etag' }])
  expect(tries).toBe(3)
  let refused = 0
  const refusing: PutPart = async () => {
    refused++
    throw new ApiProblem(403, { code: 'forbidden' })
  }
  await expect(sendParts({ ...once, put: refusing })).rejects.toMatchObject({ code: 'forbidden' })
  expect(refused).toBe(1)
})

test('a file is hashed in pieces and tells how far it is', async () => {
  const seen: number[] = []
  expect(await hashBlob(new Blob(['abc']), (done) => seen.push(done))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  expect(seen).toEqual([3])
  await expect(
    hashBlob(new Blob(['abc']), () => {}, AbortSignal.abort(new Error('stopped'))),
  ).rejects.toThrow('stopped')
})

test('a download asks for its range and throws what the hub surface answers', async () => {
  let asked = new Headers()
  const fetch = async (_: string, init?: RequestInit) => {
    asked = new Headers(init?.headers)
    return Response.json(
      { error: 'Access is restricted' },
      { status: 403, headers: { 'x-error-code': 'GatedRepo' } },
    )
  }
  await expect(download('/x', { fetch, range: [0, 9], token: 'hf_x' })).rejects.toMatchObject({
    code: 'gated',
    detail: 'Access is restricted',
  })
  expect(asked.get('range')).toBe('bytes=0-9')
})

test('bytes become base64 whatever their number', () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => i & 255)
  expect(atob(base64(bytes)).length).toBe(bytes.length)
  expect(base64(new TextEncoder().encode('hi'))).toBe('aGk=')
})

test('a part is put with its headers and the signal, and its ETag is answered', async () => {
  const asked: RequestInit[] = []
  const fetch = async (_: string, init: RequestInit = {}) => {
    asked.push(init)
    return new Response(null, { headers: { etag: '"e"' } })
  }
  const { signal } = new AbortController()
  const progress: number[] = []
  const put = fetchPut({ fetch, headers: { authorization: 'Bearer hf_x', 'x-of': 'all' } })
  const target = { n: 1, url: '/part', headers: { 'x-of': 'part' } }
  const options = { signal, onProgress: (sent: number) => progress.push(sent) }
  expect(await put(target, new Blob(['four']), options)).toBe('"e"')
  expect(asked[0]).toMatchObject({
    method: 'PUT',
    headers: { authorization: 'Bearer hf_x', 'x-of': 'part' },
    signal,
  })
  expect(progress).toEqual([4])
})

test('a part that is refused throws what the server says, and reports no progress', async () => {
  const progress: number[] = []
  const put = fetchPut({ fetch: async () => Response.json({ code: 'forbidden' }, { status: 403 }) })
  const options = { onProgress: (sent: number) => progress.push(sent) }
  await expect(put({ n: 1, url: '/part' }, new Blob(['x']), options)).rejects.toMatchObject({
    status: 403,
    code: 'forbidden',
  })
  expect(progress).toEqual([])
})

test('a download ends with its signal', async () => {
  const { signal } = new AbortController()
  let seen: RequestInit | undefined
  const fetch = async (_: string, init?: RequestInit) => ((seen = init), new Response('bytes'))
  expect(await (await download('/x', { fetch, signal })).text()).toBe('bytes')
  expect(seen?.signal).toBe(signal)
  expect(new Headers(seen?.headers).has('range')).toBe(false)
  expect(new Headers(seen?.headers).has('authorization')).toBe(false)
})
