import { randomUUID } from 'node:crypto'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { S3BlobStore, type S3StoreOptions } from '../s3/s3.ts'

/** What `api/dev/toolchain/s3.mjs` starts its servers with. */
const account = { access_key_id: 'arsenal-tests', secret_access_key: 'arsenal-tests-secret' }

/** A real S3 server that `npm test` has started. */
export interface S3Server {
  name: string
  url: string
}

/** The servers of `ARSENAL_TEST_S3` (`name=url,name=url`); none when tests are run without `npm test`. */
export const s3Servers: S3Server[] = (process.env['ARSENAL_TEST_S3'] ?? '')
  .split(',')
  .filter(Boolean)
  .map((each) => {
    const [name = '', url = ''] = each.split('=')
    return { name, url }
  })

/** `storage.s3` of a store that no other test uses: a prefix of its own in the bucket of the tests. */
export function s3Keys(url: string) {
  return {
    endpoint: url,
    region: 'eu-west-2',
    bucket: 'arsenal-tests',
    prefix: randomUUID(),
    ...account,
    use_path_style: true,
    retries: 3,
  }
}

/** Options of such a store, which loses no time between tries. */
export function s3Options(url: string, more: Partial<S3StoreOptions> = {}): S3StoreOptions {
  return { ...s3Keys(url), stall_timeout: 20_000, backoffMs: 5, ...more }
}

/** Makes a bucket; that it is there already is well. */
export async function givenBucket({ url }: S3Server, bucket = 'arsenal-tests'): Promise<void> {
  const { access_key_id: accessKeyId, secret_access_key: secretAccessKey } = account
  const client = new S3Client({
    endpoint: url,
    region: 'eu-west-2',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  })
  const isThere = (error: unknown) =>
    error instanceof Error && /BucketAlready(OwnedByYou|Exists)/.test(error.name)
  await client.send(new CreateBucketCommand({ Bucket: bucket })).catch((error: unknown) => {
    if (!isThere(error)) throw error
  })
  client.destroy()
}

/** An empty store in the bucket of the tests. */
export async function givenS3Store(
  server: S3Server,
  more: Partial<S3StoreOptions> = {},
): Promise<S3BlobStore> {
  await givenBucket(server)
  return new S3BlobStore(s3Options(server.url, more))
}
