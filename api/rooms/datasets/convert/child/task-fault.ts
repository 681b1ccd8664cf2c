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

/** Its files are those of one config, which the first one gives the columns. */
export const furtherColumn = (file: string, column: string) =>
  new TaskFault(
    'DatasetGenerationCastError',
    `The file ${file} has a column ${column}, which other files of this config do not have. Give all files the same columns, or list them as several configs in the card.`,
  )
