import { bool, duration, int, size, text } from '../makers.ts'
import { section } from './section.ts'

export const git = section({
  max_blob_size: size('10MiB', { min: 1 }).describe(
    'Largest file outside LFS that a push or commit may hold.',
  ),
  max_pack_size: size('2GiB', { min: 1 }).describe('Largest pack accepted on push.'),
  allow_force_push: bool(false).describe(
    'Allow force-pushing default branches. Namespace admins always can.',
  ),
  compact_threshold: int(20, { min: 2 }).describe("Compact a repo's packs above this many live packs."),
  pack_grace_period: duration('1h').describe(
    'How long retired packs are kept; must exceed the longest request.',
  ),
  cache_dir: text('/var/cache/service/git').describe('Disposable local pack cache.'),
  cache_size: size('10GiB', { min: 1 }).describe('Size limit of the pack cache.'),
  timeout: duration('1h', { min: 1000 }).describe('Wall-clock limit of one git operation.'),
})

export const lfs = section({
  multipart_threshold: size('64MiB', { min: 1 }).describe(
    'Larger objects use multipart uploads when the client supports them.',
  ),
  upload_url_ttl: duration('24h', { min: 1000 }).describe('Lifetime of signed upload URLs.'),
  verify_wait: duration('10m').describe(
    'How long a commit waits for an LFS object that is still being verified.',
  ),
})
