/** missing = surely absent · exists = the key is taken and its object unchanged · transient = unsure, try again · permanent = will not pass by itself · corrupt = bytes or parts differ from what was declared · full = no space left */
export type StoreErrorKind = 'missing' | 'exists' | 'transient' | 'permanent' | 'corrupt' | 'full'

/** The only error a `BlobStore` throws. Its message is for the log; callers are shown `detail` alone. */
export class StoreError extends Error {
  readonly kind: StoreErrorKind
  readonly key: string
  readonly detail: string | undefined

  constructor(
    kind: StoreErrorKind,
    key: string,
    message: string,
    { detail, ...options }: ErrorOptions & { detail?: string } = {},
  ) {
    super(`${kind}: ${key}: ${message}`, options)
    this.name = 'StoreError'
    this.kind = kind
    this.key = key
    this.detail = detail
  }
}
