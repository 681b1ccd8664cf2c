import { describe, expect, test } from 'vitest'
import { givenBucket, s3Keys, s3Servers } from '../../stores/storage/testing/s3-servers.ts'
import { run } from './run.ts'

async function command(words: string[], settings: Record<string, unknown>) {
  const all = { 'server.public_url': 'http://models.test', ...settings }
  const set = Object.entries(all).flatMap(([key, value]) => ['--set', `${key}=${String(value)}`])
  let text = ''
  const note = (more: string) => void (text += more)
  const status = await run(['bucket', 'cors', ...words, ...set], { env: {}, out: note, err: note })
  return { status, text }
}

test('a folder has no bucket to be set up', async () => {
  expect(await command([], {})).toEqual({ status: 2, text: expect.stringContaining('is not s3') as string })
})

for (const server of s3Servers)
  describe(server.name, () => {
    const bucket = 'arsenal-cors'
    const settings = {
      'storage.backend': 's3',
      ...Object.fromEntries(
        Object.entries({ ...s3Keys(server.url), bucket }).map(([key, value]) => [`storage.s3.${key}`, value]),
      ),
    }

    test('reports a bucket that refuses pages, configures it, and pages get in', async () => {
      await givenBucket(server, bucket)
      expect((await command(['--check'], settings)).status).toBe(1)
      expect(await command([], settings)).toEqual({
        status: 0,
        text: expect.stringContaining(bucket) as string,
      })
      expect((await command(['--check'], settings)).status).toBe(0)
      const preflight = await fetch(`${server.url}/${bucket}/a`, {
        method: 'OPTIONS',
        headers: { Origin: 'http://page.test', 'Access-Control-Request-Method': 'PUT' },
      })
      expect(preflight.headers.get('access-control-allow-origin')).toMatch(/^(\*|http:\/\/page\.test)$/)
    })

    test('reports a missing bucket', async () => {
      const absent = { ...settings, 'storage.s3.bucket': 'arsenal-never-made' }
      expect((await command([], absent)).text).toContain('set storage.s3.bucket')
    })
  })
