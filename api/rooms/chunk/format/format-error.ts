/** What was checked when bytes were refused. Callers and tests go by these names, which stay as they are. */
export type FormatCheck =
  | 'hash-text'
  | 'chunk-header'
  | 'chunk-scheme'
  | 'chunk-count'
  | 'lz4'
  | 'tree-hash'
  | 'xorb-empty'
  | 'xorb-truncated'
  | 'xorb-footer'
  | 'xorb-trailing'
  | 'xorb-index'
  | 'shard-header'
  | 'shard-size'
  | 'shard-truncated'
  | 'shard-flags'
  | 'shard-verification'
  | 'shard-terms'
  | 'shard-term'
  | 'shard-xorb'
  | 'shard-chunk'
  | 'range-hash'
  | 'file-hash'
  | 'file-size'
  | 'xorb-record'

/** Bytes of a chunk container or manifest that break its format. The message may be shown to their sender. */
export class FormatError extends Error {
  readonly check: FormatCheck

  constructor(check: FormatCheck, message: string) {
    super(message)
    this.name = 'FormatError'
    this.check = check
  }
}
