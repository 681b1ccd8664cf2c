// What lies in a bucket: downloads by redirect and through the service against the store itself, and what a completion takes.
import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { ensureMinio, ensureVersitygw, startS3 } from '../../api/dev/toolchain/s3.mjs'
import { startServer } from '../fixtures/server.mjs'
import { median, row, run, seconds } from './measure.mjs'
import { bigBytes, proxyRow, redirectRow } from './s3-downloads.mjs'
import { hubClient, lfsFile, writeFile } from './seed.mjs'

const mebibytes = 512
const sizeBytes = mebibytes * 2 ** 20
const rounds = 5
const bucket = 'arsenal-bench'
const account = { accessKeyId: 'arsenal-tests', secretAccessKey: 'arsenal-tests-secret' }

const openClient = (endpoint) =>
  new S3Client({ endpoint, region: 'eu-west-2', forcePathStyle: true, credentials: account })

const settingsOf = (endpoint) => ({
  'telemetry.log_level': 'warn',
  'storage.backend': 's3',
  'storage.s3.endpoint': endpoint,
  'storage.s3.bucket': bucket,
  'storage.s3.use_path_style': 'true',
  'storage.s3.access_key_id': account.accessKeyId,
  'storage.s3.secret_access_key': account.secretAccessKey,
})

/** Where the store itself has what an address leads to. */
async function addressInStore(url, token) {
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await fetch(url, { headers, redirect: 'manual' })
  await answer.body?.cancel()
  const location = answer.headers.get('location')
  if (!location) throw new Error(`${url} is not redirected: ${answer.status}`)
  return location
}

/** Sends every part of a file; `put` takes one and answers its tag. */
async function sendParts(file, partSize, put) {
  const bytes = await openAsBlob(file)
  const sent = []
  for (let n = 1; (n - 1) * partSize < bytes.size; n++)
    sent.push({ n, etag: await put(n, bytes.slice((n - 1) * partSize, n * partSize)) })
  return sent
}

/** Sends a file in parts straight to the bucket; answers how to complete it. */
async function planned(person, repo, { file, oid }) {
  const files = [{ path: 'sent.bin', size: sizeBytes, sha256: oid }]
  const plan = await person.native('POST', `/repos/models/${repo}/uploads`, { files })
  const { id, part_size, parts } = plan.files[0].upload
  const sent = await sendParts(file, part_size, async (n, body) => {
    const answer = await fetch(parts[n - 1].url, { method: 'PUT', body })
    if (!answer.ok) throw new Error(`part ${n}: ${answer.status} ${await answer.text()}`)
    return answer.headers.get('etag')
  })
  return () => person.native('POST', `/repos/models/${repo}/uploads/${id}/complete`, { parts: sent })
}

/** The same without us: the store joins, and one reads and hashes what was joined. */
async function byHand(client, file) {
  const at = { Bucket: bucket, Key: `by-hand/${randomBytes(8).toString('hex')}` }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(at))
  const Parts = []
  await sendParts(file, 16 * 2 ** 20, async (PartNumber, blob) => {
    const Body = Buffer.from(await blob.arrayBuffer())
    const { ETag } = await client.send(new UploadPartCommand({ ...at, UploadId, PartNumber, Body }))
    Parts.push({ PartNumber, ETag })
  })
  const url = await getSignedUrl(client, new GetObjectCommand(at))
  return async () => {
    const MultipartUpload = { Parts }
    await client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload }))
    await run('bash', ['-o', 'pipefail', '-c', 'curl -sSf "$0" | openssl sha256', url])
  }
}

/** A completion answers when the object is joined and proved. */
async function completionRow(title, person, repo, { dir, client }) {
  const measured = []
  const file = join(dir, 'sent.bin')
  for (let i = 0; i < rounds; i++) {
    const oid = await writeFile(file, mebibytes)
    const [theirs, ours] = [await byHand(client, file), await planned(person, repo, { file, oid })]
    measured.push({ theirs: await seconds(theirs), ours: await seconds(ours) })
  }
  const figure = median(measured.map(({ theirs, ours }) => ours / theirs))
  const shown = (name) => `${median(measured.map((one) => one[name])).toFixed(2)} s`
  const what = `${title}: completion of ${mebibytes} MiB in parts`
  const reference = `the store's join and one re-read with SHA-256 ${shown('theirs')}`
  return row(what, shown('ours'), reference, figure, '≤ 1.1 ×', figure <= 1.1)
}

/**
 * Rows of each of two stores: versitygw, which answers a GET by sendfile(2) out of a file, and MinIO, which checks every
 * block that it reads.
 */
export async function* s3Rows(dir) {
  yield* rowsOf('S3, versitygw', { versitygw: await ensureVersitygw() }, dir)
  yield* rowsOf('S3, MinIO', { minio: await ensureMinio() }, dir)
}

/** Rows of one data folder and bucket, on a server for each way that downloads are answered. */
async function* rowsOf(title, program, dir) {
  const store = await startS3(program)
  let client
  try {
    const endpoint = store.urls.split('=')[1]
    client = openClient(endpoint)
    await client.send(new CreateBucketCommand({ Bucket: bucket }))
    const settings = settingsOf(endpoint)
    const data = join(dir, `s3-${randomBytes(4).toString('hex')}`)
    await mkdir(data)
    const redirecting = await startServer(settings, { dir: data })
    let given
    try {
      const person = await redirecting.newPerson('s3')
      given = await givenFile(redirecting, person, dir)
      yield redirectRow(title, { ...given, ours: redirecting.url + given.path })
      yield completionRow(title, person, given.repo, { dir, client })
    } finally {
      await redirecting.stop()
    }
    const proxying = await startServer({ ...settings, 'storage.s3.download_mode': 'proxy' }, { dir: data })
    try {
      yield proxyRow(title, proxying, { ...given, ours: proxying.url + given.path }, data)
    } finally {
      await proxying.stop()
    }
  } finally {
    client?.destroy()
    await store.stop()
  }
}

/** A repo with one large file: its path, where the store itself has it, and a token. */
async function givenFile(server, person, dir) {
  const token = await person.token()
  const hub = hubClient(server.url, token)
  const repo = `${person.username}/files`
  await hub.create(repo)
  const file = join(dir, 'big-s3.bin')
  const oid = await writeFile(file, bigBytes / 2 ** 20)
  const { objects } = await hub.batch(repo, [{ oid, size: bigBytes }])
  await run('curl', ['-sSf', '-T', file, objects[0].actions.upload.href])
  await hub.commit(repo, 'big', [lfsFile('big.bin', oid, bigBytes)])
  const path = `/${repo}/resolve/main/big.bin`
  return { repo, path, theirs: await addressInStore(server.url + path, token), token }
}
