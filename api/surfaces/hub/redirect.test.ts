import { beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { zipExport } from '../../rooms/content/index.ts'
import type { App } from '../../core/http/env.ts'
import { nativeBase } from '../../core/http/surface.ts'
import { runJobs } from '../../core/jobs/testing.ts'
import { asked, givenContent } from '../../core/lfs/testing.ts'
import { eachRedirectingStore, givenRepo, givenToken, givenUser } from '../../testing.ts'
import type { BatchResponse } from '../../rooms/uploads/batch/batch.ts'

const MIB = 1024 * 1024

eachRedirectingStore('downloads that the store serves itself', (world) => {
  const content = givenContent(2 * MIB)
  let app: App
  let address = ''
  let repo = ''
  let bearer: Record<string, string> = {}

  const post = (path: string, body: string, type = 'application/json') =>
    app.request(path, { method: 'POST', headers: { ...bearer, 'Content-Type': type }, body })

  async function batch(operation: 'upload' | 'download') {
    const answer = await post(
      `/${repo}.git/info/lfs/objects/batch`,
      JSON.stringify({ operation, objects: [asked(content)] }),
    )
    const { objects } = (await answer.json()) as BatchResponse
    return objects[0]?.actions?.[operation]?.href ?? expect.fail('no address')
  }

  beforeAll(async () => {
    app = buildApp(world.deps, { state: 'ready', check: async () => undefined })
    const owner = await givenUser(world, 'ada')
    const { name } = await givenRepo(world, owner, { visibility: 'public' })
    repo = `ada/${name}`
    address = `/${repo}/resolve/main/model.bin`
    bearer = { Authorization: `Bearer ${(await givenToken(world, owner)).secret}` }
    const headers = { 'Content-Length': String(content.sizeBytes) }
    await app.request(await batch('upload'), { method: 'PUT', headers, body: content.bytes })
    const lines = [
      { key: 'header', value: { summary: 'a model' } },
      {
        key: 'lfsFile',
        value: { path: 'model.bin', algo: 'sha256', oid: content.sha256, size: content.sizeBytes },
      },
    ]
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const committed = await post(`/api/models/${repo}/commit/main`, body, 'application/x-ndjson')
    expect(committed.status).toBe(200)
  })

  test('GET of a large file is sent to the store, with the metadata of the hub', async () => {
    const answer = await app.request(address, { headers: bearer })
    expect(answer.status).toBe(302)
    expect(answer.headers.get('x-linked-etag')).toBe(`"${content.sha256}"`)
    expect(answer.headers.get('x-linked-size')).toBe(String(content.sizeBytes))
    const location = answer.headers.get('location') ?? ''
    expect(new URL(location).origin).not.toBe(new URL(world.deps.config.server.public_url).origin)
    const stored = await fetch(location)
    expect(stored.headers.get('content-disposition')).toContain('filename="model.bin";')
    expect(Buffer.from(await stored.arrayBuffer()).equals(content.bytes)).toBe(true)
  })

  test('redirected or not, the answer says when the file was committed', async () => {
    const answers = await Promise.all([
      app.request(address, { headers: bearer }),
      app.request(address, { method: 'HEAD', headers: bearer }),
      app.request(address, { headers: { ...bearer, Range: 'bytes=0-99' } }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([302, 200, 206])
    for (const { headers } of answers) {
      expect(headers.get('last-modified')).toBe(world.clock.now.toUTCString())
      expect(headers.get('etag')).toBe(`"${content.sha256}"`)
    }
  })

  test('HEAD is never redirected', async () => {
    const answer = await app.request(address, { method: 'HEAD', headers: bearer })
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
    expect(answer.headers.get('content-length')).toBe(String(content.sizeBytes))
  })

  test('a short range and a small file come from here', async () => {
    const range = await app.request(address, { headers: { ...bearer, Range: 'bytes=0-99' } })
    expect(range.status).toBe(206)
    expect(Buffer.from(await range.arrayBuffer()).equals(content.bytes.subarray(0, 100))).toBe(true)
    expect((await app.request(`/${repo}/resolve/main/.gitattributes`, { headers: bearer })).status).toBe(200)
  })

  test('the signed address of an LFS batch leads to the store, too', async () => {
    const answer = await app.request(await batch('download'))
    expect(answer.status).toBe(302)
    const stored = await fetch(answer.headers.get('location') ?? '')
    expect(Buffer.from(await stored.arrayBuffer()).equals(content.bytes)).toBe(true)
  })

  test('an archive comes from the store', async () => {
    const asked = await post(`${nativeBase}/repos/models/${repo}/zip`, '')
    await runJobs(world.deps, [zipExport])
    const { id } = (await asked.json()) as { id: string }
    const job = await app.request(`${nativeBase}/jobs/${id}`, { headers: bearer })
    const { result } = (await job.json()) as { result: { url: string; size: number } }
    const answer = await app.request(result.url, { headers: bearer })
    expect(answer.status).toBe(302)
    const stored = await fetch(answer.headers.get('location') ?? '')
    expect(stored.headers.get('content-type')).toBe('application/zip')
    expect((await stored.arrayBuffer()).byteLength).toBe(result.size)
  })
})
