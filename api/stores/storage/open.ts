import type { BlobStore } from './blob-store.ts'
import { FsBlobStore } from './fs/fs.ts'
import { sharesOrigin } from './s3/endpoint.ts'
import type { S3BlobStore, S3StoreOptions } from './s3/s3.ts'

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

/** Opens the configured blob store. A bucket is not asked anything yet: `check` tells whether it answers. */
export async function openBlobStore(
  config: StorageConfig,
  { publicUrl, ...options }: OpenOptions = {},
): Promise<BlobStore> {
  if (config.backend === 'fs') return FsBlobStore.open({ ...options, path: config.fs.path })
  const canPresign = publicUrl === undefined || !sharesOrigin(config.s3, publicUrl)
  return openS3Store({ ...config.s3, ...options, canPresign })
}

/** A bucket's store with what only a bucket has. Without a bucket the S3 client is not loaded, which takes a while. */
export async function openS3Store(options: S3StoreOptions): Promise<S3BlobStore> {
  const { S3BlobStore } = await import('./s3/s3.ts')
  return new S3BlobStore(options)
}
