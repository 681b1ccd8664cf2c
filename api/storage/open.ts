import type { BlobStore } from './blob-store.ts'
import { FsBlobStore } from './fs.ts'
import { endpointUrl, type S3Options } from './s3-bucket.ts'
import { S3BlobStore, type S3StoreOptions } from './s3.ts'

/** The `storage` section of the configuration, as far as the store needs it. */
export interface StorageConfig {
  backend: 'fs' | 's3'
  fs: { path: string }
  s3: S3StoreOptions
}

/** What every store may be given. */
export interface OpenOptions {
  now?: () => Date
  /** Hears of sweeps that failed; they are tried again. */
  onSweepError?: (error: unknown) => void
  /** Where clients find the service. */
  publicUrl?: string
}

/**
 * Whether clients take the bucket's addresses for the service's own. Their bearer would follow a redirect there, which S3
 * refuses beside a signature (reliability.md §5).
 */
export function sharesOrigin({ endpoint, use_path_style }: S3Options, publicUrl: string): boolean {
  const url = endpointUrl(endpoint)
  return url !== undefined && use_path_style && new URL(url).origin === new URL(publicUrl).origin
}

/** Opens the configured blob store. A bucket is not asked anything yet: `check` tells whether it answers. */
export async function openBlobStore(
  config: StorageConfig,
  { publicUrl, ...options }: OpenOptions = {},
): Promise<BlobStore> {
  if (config.backend === 'fs') return FsBlobStore.open({ ...options, path: config.fs.path })
  const canPresign = publicUrl === undefined || !sharesOrigin(config.s3, publicUrl)
  return new S3BlobStore({ ...config.s3, ...options, canPresign })
}
