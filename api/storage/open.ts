import type { BlobStore } from './blob-store.ts'
import { FsBlobStore, type FsOptions } from './fs.ts'

/** The `storage` section of the configuration, as far as the store needs it. */
export interface StorageConfig {
  backend: 'fs' | 's3'
  fs: { path: string }
}

/** Opens the configured blob store; throws when the configuration names one this version does not have. */
export async function openBlobStore(
  config: StorageConfig,
  options: Omit<FsOptions, 'path'> = {},
): Promise<BlobStore> {
  if (config.backend === 's3') throw new Error('storage.backend=s3 arrives with a later version')
  return FsBlobStore.open({ ...options, path: config.fs.path })
}
