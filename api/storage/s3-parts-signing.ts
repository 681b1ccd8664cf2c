import { createHash, createHmac } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { type S3Client, UploadPartCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'

/** Signed in one go, so that others wait for a few milliseconds at most. */
const AT_ONCE = 500

/**
 * Signed addresses of the parts 1 to `count` of a multipart upload, which no header but the host is signed into. The
 * client signs the first, which takes it a millisecond; the others differ by their number alone and are signed here, in
 * 20 µs each, since an upload may have 10 000 (Signature Version 4, "Authenticating Requests: Using Query Parameters",
 * Amazon S3 API Reference).
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

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** As RFC 3986 has it, which is stricter than JavaScript. */
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** The query without a signature, its names in order, as a function of the part's number. */
function queryLike({ searchParams }: URL): (n: number) => string {
  const [before = '', after = ''] = [...searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${escaped(name)}=${name === 'partNumber' ? ' ' : escaped(value)}`)
    .toSorted()
    .join('&')
    .split(' ')
  return (n) => `${before}${n}${after}`
}

function signerLike(first: URL, secret: string): (n: number) => string {
  const param = (name: string) => first.searchParams.get(name) ?? ''
  const [, ...scope] = param('X-Amz-Credential').split('/')
  const key = scope.reduce<string | Buffer>((before, text) => hmac(before, text), `AWS4${secret}`)
  const beforeHash = ['AWS4-HMAC-SHA256', param('X-Amz-Date'), scope.join('/')].join('\n')
  const queryOf = queryLike(first)
  return (n) => {
    const query = queryOf(n)
    const request = ['PUT', first.pathname, query, `host:${first.host}`, '', 'host', 'UNSIGNED-PAYLOAD']
    const signature = hmac(key, `${beforeHash}\n${sha256(request.join('\n'))}`).toString('hex')
    return `${first.origin}${first.pathname}?${query}&X-Amz-Signature=${signature}`
  }
}
