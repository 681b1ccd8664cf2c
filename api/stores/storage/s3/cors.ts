import { type CORSRule, GetBucketCorsCommand, PutBucketCorsCommand } from '@aws-sdk/client-s3'
import type { S3Bucket } from './bucket.ts'

/**
 * What pages of any origin may do: signatures decide who gets what, and scripts read these headers of the bucket's own
 * answers (hub-wire.md §4.2, §8.1).
 */
const rule = {
  AllowedOrigins: ['*'],
  AllowedMethods: ['GET', 'HEAD', 'PUT'],
  AllowedHeaders: ['*'],
  ExposeHeaders: ['ETag', 'Content-Length', 'Content-Range', 'Content-Disposition', 'Accept-Ranges'],
  MaxAgeSeconds: 3600,
} satisfies CORSRule

/** Lets scripts in browsers use signed addresses of the bucket, in place of what its CORS rules said before. */
export async function setCors(bucket: S3Bucket): Promise<void> {
  const { Bucket } = bucket.below('')
  const command = new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules: [rule] } })
  await bucket.call('', (client, attempt) => client.send(command, attempt))
}

/** Whether some rule of the bucket allows at least that. */
export async function hasCors(bucket: S3Bucket): Promise<boolean> {
  const { Bucket } = bucket.below('')
  return bucket.call('', async (client, attempt) => {
    try {
      const { CORSRules = [] } = await client.send(new GetBucketCorsCommand({ Bucket }), attempt)
      return CORSRules.some(allowsAll)
    } catch (error) {
      if (error instanceof Error && error.name === 'NoSuchCORSConfiguration') return false
      throw error
    }
  })
}

function allowsAll(found: CORSRule): boolean {
  const lower = (words: string[] = []) => words.map((word) => word.toLowerCase())
  const has = (words: string[] | undefined, wanted: string[]) =>
    lower(wanted).every((word) => lower(words).includes(word))
  return (
    has(found.AllowedOrigins, rule.AllowedOrigins) &&
    has(found.AllowedMethods, rule.AllowedMethods) &&
    has(found.AllowedHeaders, rule.AllowedHeaders) &&
    has(found.ExposeHeaders, rule.ExposeHeaders)
  )
}
