import { createHash, randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { expect, test } from '@playwright/test'
import { startServer } from '../fixtures/server.mjs'
import { givenRepo, signIn, type Person } from './fixtures.ts'

// The first of the servers that `npm test` has started (api/dev/toolchain/s3.mjs): `name=url,…`.
const endpoint = process.env['ARSENAL_TEST_S3']?.split(',')[0]?.split('=')[1] ?? ''
const bucket = `arsenal-web-${randomBytes(4).toString('hex')}`
const account = { accessKeyId: 'arsenal-tests', secretAccessKey: 'arsenal-tests-secret' }
const settings = {
  'telemetry.log_level': 'warn',
  'storage.backend': 's3',
  'storage.s3.endpoint': endpoint,
  'storage.s3.bucket': bucket,
  'storage.s3.use_path_style': 'true',
  'storage.s3.access_key_id': account.accessKeyId,
  'storage.s3.secret_access_key': account.secretAccessKey,
}

test('a file goes straight to the bucket and comes from there, once its rules let pages in', async ({
  page,
  context,
}) => {
  expect(endpoint, 'ARSENAL_TEST_S3 names no server of S3; npm test starts some').not.toBe('')
  const client = new S3Client({
    endpoint,
    region: 'eu-west-2',
    forcePathStyle: true,
    credentials: account,
  })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))
  client.destroy()
  const server = await startServer(settings)
  try {
    const person = (await server.newPerson('bo')) as Person
    await signIn(context, server.url, person)
    const repo = await givenRepo(person)
    const large = randomBytes(20_000_000)
    const file = join(server.dir, 'large.bin')
    await writeFile(file, large)
    const put = new Set<string>()
    page.on('request', (request) => {
      if (request.method() === 'PUT') put.add(new URL(request.url()).origin)
    })

    await page.goto(`${server.url}${repo.page}/upload/main`)
    await page.locator('input[type=file]').first().setInputFiles(file)
    await page.getByRole('button', { name: 'Upload the file' }).click()
    await expect(page.getByRole('alert')).toContainText('arsenal bucket cors')

    await server.cli(['bucket', 'cors'])
    await page.getByRole('button', { name: 'Upload the file' }).click()
    await expect(page).toHaveURL(`${server.url}${repo.page}/tree/main`, { timeout: 60_000 })
    expect([...put]).toEqual([endpoint])
    const address = `${repo.page}/resolve/main/large.bin`
    const answer = await fetch(`${server.url}${address}`)
    expect(new URL(answer.url).origin).toBe(endpoint)
    const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(sha256(large))
    // Pages may read what is served from there, too.
    const seen = await page.evaluate(
      async (url) => (await fetch(url)).arrayBuffer().then((b) => b.byteLength),
      address,
    )
    expect(seen).toBe(large.length)
    await rm(file)
  } finally {
    await server.stop()
  }
})
