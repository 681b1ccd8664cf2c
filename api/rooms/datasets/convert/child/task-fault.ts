/** Why a split cannot be converted, for people; `code` is one of the viewer's error codes. */
export class TaskFault extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The library would fail on these files, too. */
export const notReadable = (message: string) => new TaskFault('DatasetGenerationError', message)
