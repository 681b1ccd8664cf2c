import * as checks from '../checks.ts'
import { bool, duration, int, secret, text } from '../makers.ts'
import { section, unlessEmpty } from './section.ts'

const hour = 3_600_000

export const storage = section({
  backend: text('fs', ['fs', 's3']).describe('Where large objects, git data and uploads lie: `fs` or `s3`.'),
  fs: section({ path: text('/var/lib/service/blobs').describe('Root folder.') }),
  s3: section({
    endpoint: text('')
      .superRefine(unlessEmpty(checks.endpointFault))
      .meta({ kind: 'string', shown: "the store vendor's standard endpoint" })
      .describe(
        'Host with optional port. An `https://` or `http://` prefix chooses the scheme; HTTPS without one.',
      ),
    region: text('eu-west-2').describe('Region of the bucket.'),
    bucket: text('service').superRefine(unlessEmpty(checks.bucketFault)).describe('Name of the bucket.'),
    prefix: text('').superRefine(unlessEmpty(checks.prefixFault)).describe('Key prefix in the bucket.'),
    access_key_id: text('').describe('Access key id; empty uses the default credential chain.'),
    secret_access_key: secret('').describe('Secret access key.'),
    use_path_style: bool(false).describe('Address the bucket in the path.'),
    download_mode: text('redirect', ['redirect', 'proxy']).describe(
      '`redirect` sends clients to presigned URLs; `proxy` streams through the service.',
    ),
    upload_mode: text('direct', ['direct', 'proxy']).describe(
      '`direct` gives clients presigned upload URLs; `proxy` uploads through the service.',
    ),
    presign_ttl: duration('1h', { min: 1000, max: 168 * hour }).describe(
      'Lifetime of presigned download URLs.',
    ),
    retries: int(5).describe(
      'Retries of a failed part or object upload, with growing waits; part bodies are spooled to the temporary folder. 0 turns retries off.',
    ),
    startup_wait: duration('5m').describe(
      'How long to keep trying to reach the bucket at start before exiting; `/readyz` answers 503 meanwhile. 0 exits at once.',
    ),
    stall_timeout: duration('2m', { min: 1000 }).describe(
      'How long a request to the store may go without data or answer before it is cancelled and, for uploads, retried.',
    ),
  }),
})
