// Postgres and a server of S3 for a topology: those that the test set-up has started, or its own.
import { randomBytes } from 'node:crypto'
import { CreateBucketCommand, DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import pg from 'pg'
import { startPostgres } from '../../api/dev/toolchain/postgres.mjs'
import { ensureVersitygw, startS3 } from '../../api/dev/toolchain/s3.mjs'

const bucket = 'arsenal-topology'
// What `api/dev/toolchain/s3.mjs` starts its servers with.
const account = { accessKeyId: 'arsenal-tests', secretAccessKey: 'arsenal-tests-secret' }

/** Answers { postgres, s3, stop }: two URLs. */
export async function openStores() {
  const given = { postgres: process.env.ARSENAL_TEST_POSTGRES, s3: versitygwOf(process.env.ARSENAL_TEST_S3) }
  if (given.postgres && given.s3) return { ...given, stop: async () => {} }
  const postgres = await startPostgres()
  try {
    const s3 = await startS3({ versitygw: await ensureVersitygw() })
    const stop = () => Promise.all([s3.stop(), postgres.stop()])
    return { postgres: postgres.url, s3: versitygwOf(s3.urls), stop }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

const versitygwOf = (urls = '') => /(?:^|,)versitygw=([^,]+)/.exec(urls)?.[1]

/** A database and a place in the bucket for one topology. Answers { settings, engine, query, keys, remove }. */
export async function openPlace({ postgres, s3 }) {
  const name = `topology_${randomBytes(6).toString('hex')}`
  await asOperator(postgres, `CREATE DATABASE ${name}`)
  const dsn = Object.assign(new URL(postgres), { pathname: `/${name}` }).href
  const client = new S3Client({
    endpoint: s3,
    region: 'eu-west-2',
    forcePathStyle: true,
    credentials: account,
  })
  await client.send(new CreateBucketCommand({ Bucket: bucket })).catch((error) => {
    if (!/BucketAlready(OwnedByYou|Exists)/.test(error.name)) throw error
  })
  const prefix = `${name}/`
  const keys = async () => (await keysOf(client, prefix)).map((key) => key.slice(prefix.length))
  return {
    engine: 'postgres',
    settings: {
      'database.driver': 'postgres',
      'database.dsn': dsn,
      'database.max_open_conns': '8',
      'storage.backend': 's3',
      'storage.s3.endpoint': s3,
      'storage.s3.use_path_style': 'true',
      'storage.s3.bucket': bucket,
      'storage.s3.prefix': name,
      'storage.s3.access_key_id': account.accessKeyId,
      'storage.s3.secret_access_key': account.secretAccessKey,
    },
    query: (statement, values) => asOperator(dsn, statement, values),
    keys,
    async remove() {
      for (let all = await keys(); all.length > 0; all = all.slice(1000))
        await client.send(
          new DeleteObjectsCommand({
            Bucket: bucket,
            Delete: { Objects: all.slice(0, 1000).map((key) => ({ Key: prefix + key })) },
          }),
        )
      client.destroy()
      await asOperator(postgres, `DROP DATABASE ${name} WITH (FORCE)`)
    },
  }
}

async function keysOf(client, Prefix) {
  const keys = []
  for (let ContinuationToken; ;) {
    const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix, ContinuationToken }))
    keys.push(...(page.Contents ?? []).map(({ Key }) => Key))
    if (!page.IsTruncated) return keys
    ContinuationToken = page.NextContinuationToken
  }
}

async function asOperator(url, statement, values = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement, values)).rows
  } finally {
    await client.end()
  }
}
