/** A file of a revision, and what its bytes are known by. */
export interface SourceFile {
  path: string
  /** Git blob, 40-hex. */
  oid: string
  sizeBytes: number
  /** Of a large file. */
  sha256?: string
}
