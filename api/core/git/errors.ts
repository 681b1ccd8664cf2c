import { Problem } from '../../platform/problems/index.ts'

/** Bytes that should be a git object, pack or index are not. Its message is for the log, never for callers. */
export class CorruptObject extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CorruptObject'
  }
}

/** A pack was closed by eviction while a reader still held it; opening it again through the store fixes that. */
export class PackClosed extends Error {
  constructor(packId: string) {
    super(`pack ${packId} was closed`)
    this.name = 'PackClosed'
  }
}

/** An object larger than this process will hold in memory. */
export class ObjectTooLarge extends Error {
  readonly sizeBytes: number
  constructor(sizeBytes: number) {
    super(`an object of ${sizeBytes} bytes is too large to rebuild in memory`)
    this.name = 'ObjectTooLarge'
    this.sizeBytes = sizeBytes
  }
}

/** Whether the file system says that a file is not there. */
export function isAbsentFile(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** A pack of the repo is known to be damaged, and its bytes are not read any more. */
export class PackQuarantined extends Problem {
  constructor() {
    super('store-unavailable', {
      detail:
        'A part of this repo is damaged in the store of this server. An admin of the server can restore it from a backup.',
      retryAfterS: 60,
    })
  }
}
