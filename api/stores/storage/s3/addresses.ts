import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { PresignOptions } from '../blob-store.ts'
import { canonicalQuery, scopeOf, signedAddress } from './signature.ts'

type Method = 'GET' | 'PUT'
type Target = { Bucket: string; Key: string }

/** What the client's own address of an object tells of all others of its method. */
interface Pattern {
  origin: string
  /** What stands before an object's name. */
  path: string
  /** Parameters that stay, with the credentials of a session among them. */
  params: [string, string][]
  accessKeyId: string
  sessionToken: string | undefined
  /** The credential's scope behind its day. */
  scope: string
}

/**
 * Signed addresses of objects. The client takes milliseconds of CPU time for one; so it signs the first of each method, and
 * the others, which differ by name, time and what they ask for, are signed here in tens of microseconds.
 */
export class S3Addresses {
  readonly #client: S3Client
  readonly #patterns = new Map<Method, Pattern>()

  constructor(client: S3Client) {
    this.#client = client
  }

  /** No header is signed but the host: clients send only what they send by themselves. */
  async sign(method: Method, at: Target, options: PresignOptions): Promise<string> {
    const credentials = await this.#client.config.credentials()
    const { accessKeyId, secretAccessKey, sessionToken } = credentials
    const pattern = this.#patterns.get(method)
    const isKnown = pattern?.accessKeyId === accessKeyId && pattern.sessionToken === sessionToken
    if (!pattern || !isKnown) return this.#learn(method, at, options)
    return addressLike(pattern, { method, key: at.Key, options, date: new Date(), secret: secretAccessKey })
  }

  async #learn(method: Method, at: Target, options: PresignOptions): Promise<string> {
    const command =
      method === 'PUT'
        ? new PutObjectCommand(at)
        : new GetObjectCommand({
            ...at,
            ResponseContentType: options.contentType,
            ResponseContentDisposition: options.contentDisposition,
          })
    const address = await getSignedUrl(this.#client, command, { expiresIn: options.ttlS })
    const { accessKeyId, secretAccessKey, sessionToken } = await this.#client.config.credentials()
    const { origin, pathname, searchParams } = new URL(address)
    const [owner, , ...scope] = (searchParams.get('X-Amz-Credential') ?? '').split('/')
    const pattern: Pattern = {
      origin,
      path: pathname.slice(0, -at.Key.length),
      params: [...searchParams].filter(([name]) => !varying.has(name)),
      accessKeyId,
      sessionToken,
      scope: scope.join('/'),
    }
    const date = dateOf(searchParams.get('X-Amz-Date') ?? '')
    const ours = addressLike(pattern, { method, key: at.Key, options, date, secret: secretAccessKey })
    // The credentials may have been renewed meanwhile; or a name is escaped, or the client signs in another way some day.
    const isSame = new URL(ours).searchParams.get('X-Amz-Signature') === searchParams.get('X-Amz-Signature')
    if (isSame && owner === accessKeyId) this.#patterns.set(method, pattern)
    return address
  }
}

const varying = new Set([
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-Signature',
  'response-content-type',
  'response-content-disposition',
])

/** `20260102T030405Z` as a time, and back. */
const dateOf = (text: string) =>
  new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
const textOf = (date: Date) => date.toISOString().replace(/[-:]|\.\d+/g, '')

interface Wanted {
  method: Method
  key: string
  options: PresignOptions
  date: Date
  secret: string
}

function addressLike(pattern: Pattern, { method, key, options, date, secret }: Wanted): string {
  const { origin, path, params, accessKeyId, scope } = pattern
  const { ttlS, contentType, contentDisposition } = options
  const at = textOf(date)
  const credential = `${accessKeyId}/${at.slice(0, 8)}/${scope}`
  const all: [string, string][] = [
    ...params,
    ['X-Amz-Credential', credential],
    ['X-Amz-Date', at],
    ['X-Amz-Expires', String(ttlS)],
  ]
  if (method === 'GET' && contentType) all.push(['response-content-type', contentType])
  if (method === 'GET' && contentDisposition) all.push(['response-content-disposition', contentDisposition])
  const request = { method, origin, path: path + key, query: canonicalQuery(all) }
  return signedAddress(request, at, scopeOf(credential, secret))
}
