import type { BlobStore } from './blob-store.ts'
import { FsBlobStore } from './fs.ts'
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
}

/** Opens the configured blob store. A bucket is not asked anything yet: `check` tells whether it answers. */
export async function openBlobStore(config: StorageConfig, options: OpenOptions = {}): Promise<BlobStore> {
  return config.backend === 's3'
    ? new S3BlobStore({ ...config.s3, ...options })
    : FsBlobStore.open({ ...options, path: config.fs.path })
}
