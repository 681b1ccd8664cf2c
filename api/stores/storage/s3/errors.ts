import { StoreError, type StoreErrorKind } from '../store-error.ts'

/** No byte and no answer within `storage.s3.stall_timeout`. */
export class Stalled extends Error {
  constructor(stallMs: number) {
    super(`neither bytes nor an answer for ${stallMs} ms`)
    this.name = 'Stalled'
  }
}

/** Codes whose HTTP status alone would mislead (Error responses, Amazon S3 API Reference; MinIO's own for a full disk). */
const kinds: Record<string, StoreErrorKind> = {
  NoSuchKey: 'missing',
  NoSuchUpload: 'missing',
  PreconditionFailed: 'exists',
  InvalidPart: 'corrupt',
  InvalidPartOrder: 'corrupt',
  EntityTooSmall: 'corrupt',
  XMinioStorageFull: 'full',
  InsufficientStorage: 'full',
  QuotaExceeded: 'full',
  // These may also come in the body of a 200, whose status tells nothing.
  InternalError: 'transient',
  ServiceUnavailable: 'transient',
  SlowDown: 'transient',
  // Bytes that the way has damaged or cut: they are sent again.
  BadDigest: 'transient',
  IncompleteBody: 'transient',
  RequestTimeout: 'transient',
  // The client corrects its clock by this answer, and fetches new credentials.
  RequestTimeTooSkewed: 'transient',
  ExpiredToken: 'transient',
  CredentialsProviderError: 'transient',
  NotImplemented: 'permanent',
  NoSuchBucket: 'permanent',
}

const rights =
  's3:GetObject, PutObject, DeleteObject, AbortMultipartUpload and ListMultipartUploadParts on its objects, ListBucket and ListBucketMultipartUploads on the bucket'

/** What an operator does about failures that stay. */
const remedies: Record<string, string> = {
  NoSuchBucket: 'the bucket does not exist; create it, or set storage.s3.bucket',
  AccessDenied: `access is denied; the credentials need ${rights}`,
  InvalidAccessKeyId: 'the store does not know storage.s3.access_key_id',
  SignatureDoesNotMatch: 'storage.s3.secret_access_key is not that of the access key id',
  PermanentRedirect: 'the bucket lies in another region; set storage.s3.region',
  AuthorizationHeaderMalformed: 'the bucket lies in another region; set storage.s3.region',
  CredentialsProviderError: 'no credentials were found; set storage.s3.access_key_id and secret_access_key',
}

const passingStatuses = [408, 409, 425, 429]

/** The parts of an error of the S3 client, or of a socket, that tell what happened. */
function signsOf(error: unknown): { code: string; status: number | undefined; errno: string | undefined } {
  if (!(error instanceof Error)) return { code: '', status: undefined, errno: undefined }
  const { name, $metadata, code } = error as Error & {
    $metadata?: { httpStatusCode?: number }
    code?: unknown
  }
  return { code: name, status: $metadata?.httpStatusCode, errno: typeof code === 'string' ? code : undefined }
}

/**
 * The kind of a failure. Unsure is transient: a bare 404 may come from a proxy or mean the bucket, so only the codes of
 * S3 itself make an object missing (reliability.md §11.6).
 */
function kindOf(error: unknown): StoreErrorKind {
  const { code, status, errno } = signsOf(error)
  const known = kinds[code]
  if (known) return known
  if (status === 507) return 'full'
  if (status === 412) return 'exists'
  if (status !== undefined && status >= 300 && status < 500 && status !== 404)
    return passingStatuses.includes(status) ? 'transient' : 'permanent'
  if (status === 501) return 'permanent'
  const isBug =
    status === undefined && errno === undefined && (error instanceof TypeError || error instanceof RangeError)
  return isBug ? 'permanent' : 'transient'
}

/** Any failure of a request as the store's error, in words for the log. */
export function toStoreError(key: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const { code, status } = signsOf(error)
  const remedy = remedies[code] ?? (status === 403 ? remedies['AccessDenied'] : undefined)
  const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  const message = [remedy, status === undefined ? said : `${said} (HTTP ${status})`]
    .filter(Boolean)
    .join('; ')
  return new StoreError(kindOf(error), key, message, { cause: error })
}

/** An answer with this HTTP status, such as 404 to a HEAD, which has no body to say more. */
export function hasStatus(error: unknown, status: number): boolean {
  return signsOf(error).status === status
}

/** Whether the server does not know a feature that was asked for. */
export function isUnsupported(error: unknown): boolean {
  const { code, status } = signsOf(error)
  return status === 501 || code === 'NotImplemented'
}
