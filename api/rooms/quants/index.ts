export { builtBlob, keepBlobs, openRepoBlob, type NewBlob, type OpenBlob } from './built-blobs.ts'
export { NoSuchTag } from './choose.ts'
export { describeTag, type TagContents } from './describe-tag.ts'
