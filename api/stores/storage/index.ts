export type {
  BlobStat,
  BlobStore,
  ByteRange,
  ByteSource,
  DirectUploads,
  PresignOptions,
  PutOptions,
  StoredPart,
} from './blob-store.ts'
export {
  ByteBuffer,
  CHUNK_BYTES,
  TooManyBytes,
  cancel,
  collect,
  derived,
  drain,
  fromChunks,
  fromWebStream,
  limited,
  toWebStream,
} from './bytes.ts'
export { type Digest, type Hashing, hashing } from './hashing.ts'
export { FsBlobStore, type FsOptions } from './fs/fs.ts'
export { observedStore } from './observed.ts'
export { openBlobStore, openS3Store, type StorageConfig } from './open.ts'
export { blobKeys } from './paths.ts'
export { bucketOrigin, sharesOrigin } from './s3/endpoint.ts'
export { inSlabs } from './in-slabs.ts'
export { StoreError, type StoreErrorKind } from './store-error.ts'
export { DiskSpace, freeSpaceOf, lackingBytes, reserveBytes } from './disk-space.ts'
export { requireDiskSpace } from './require-disk-space.ts'
export { storeProblem } from './store-problem.ts'
