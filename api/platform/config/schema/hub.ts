import * as checks from '../checks.ts'
import { duration, size, text } from '../makers.ts'
import { section, unlessEmpty, withoutSlash } from './section.ts'

export const hubapi = section({
  regular_upload_max: size('10MiB').describe(
    'Preupload answers `regular` below this size unless `.gitattributes` says LFS.',
  ),
  chunk: text('ingest', ['ingest', 'reject']).describe(
    '`ingest` accepts chunk-deduplicated uploads; `reject` turns them off.',
  ),
  default_namespace: text('').describe(
    'Namespace that single-segment repo ids redirect to; empty turns the redirect off.',
  ),
})

export const chunk = section({
  cas_url: text('')
    .superRefine(unlessEmpty(checks.casUrlFault))
    .transform(withoutSlash)
    .meta({ kind: 'string', shown: 'empty' })
    .describe(
      'URL of the content-addressed endpoints, or a path below `server.public_url`; empty is `/chunk-cas`. Another one makes clients forget what they believe to be stored.',
    ),
  // Clients ask for the next one 60 s before the end, so a shorter one would be asked for at every call.
  token_ttl: duration('1h', { min: 300_000 }).describe('Lifetime of write tokens, at least 5m.'),
  xorb_retention: duration('672h').describe(
    "How long chunk containers are kept after last use; keep it longer than the client's 21-day shard cache.",
  ),
  max_file_size: size('50GiB', { min: 1 }).describe(
    'Largest file one upload may describe. One shard may rebuild at most four times this, counting only files not uploaded before; larger uploads get 413.',
  ),
})
