import { setImmediate as turn } from 'node:timers/promises'
import { type S3Client, UploadPartCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { canonicalQuery, scopeOf, signedAddress } from './signature.ts'

/** Signed in one go, so that others wait for a few milliseconds at most. */
const AT_ONCE = 500

/**
 * Signed addresses of the parts 1 to `count` of a multipart upload, which no header but the host is signed into. The
 * client signs the first, which takes it a millisecond; the others differ by their number alone and are signed here, in
 * 20 µs each, since an upload may have 10 000.
 */
export async function signedParts(
  client: S3Client,
  target: { Bucket: string; Key: string; UploadId: string },
  count: number,
  ttlS: number,
): Promise<string[]> {
  const command = new UploadPartCommand({ ...target, PartNumber: 1 })
  const first = new URL(await getSignedUrl(client, command, { expiresIn: ttlS }))
  const { accessKeyId, secretAccessKey } = await client.config.credentials()
  const sign = signerLike(first, secretAccessKey)
  const { searchParams } = new URL(sign(1))
  const isSame = ['Credential', 'Signature'].every(
    (name) => searchParams.get(`X-Amz-${name}`) === first.searchParams.get(`X-Amz-${name}`),
  )
  // The credentials may have been renewed between the two; or the client signs in another way some day.
  if (!isSame || !searchParams.get('X-Amz-Credential')?.startsWith(`${accessKeyId}/`))
    throw new Error('the address of a part is signed in an unknown way')
  const urls: string[] = []
  for (let n = 1; n <= count; n++) {
    urls.push(sign(n))
    if (n % AT_ONCE === 0) await turn()
  }
  return urls
}

/** The query without a signature, its names in order, as a function of the part's number. */
function queryLike(searchParams: URLSearchParams): (n: number) => string {
  const params = [...searchParams].filter(([name]) => name !== 'X-Amz-Signature')
  const [before = '', after = ''] = canonicalQuery(params).split('partNumber=1')
  return (n) => `${before}partNumber=${n}${after}`
}

function signerLike({ origin, pathname: path, searchParams }: URL, secret: string): (n: number) => string {
  const param = (name: string) => searchParams.get(name) ?? ''
  const scope = scopeOf(param('X-Amz-Credential'), secret)
  const queryOf = queryLike(searchParams)
  return (n) => signedAddress({ method: 'PUT', origin, path, query: queryOf(n) }, param('X-Amz-Date'), scope)
}
