/*
 * Failures as the public viewer names them (dataset-viewer.md §1).
 */

/** Status of each error code that this server answers. */
const viewerStatuses = {
  ExternalUnauthenticatedError: 401,
  ExternalAuthenticatedError: 404,
  ResponseNotFound: 404,
  MissingRequiredParameter: 422,
  InvalidParameter: 422,
  ResponseNotReady: 500,
  TooBigContentError: 500,
  UnexpectedApiError: 500,
  DatasetGenerationError: 500,
  DatasetGenerationCastError: 500,
  DataFilesNotFoundError: 500,
  EmptyDatasetError: 500,
  ConfigNamesError: 500,
  FeaturesError: 500,
  FileFormatMismatchBetweenSplitsError: 500,
  TooManyColumnsError: 500,
  ComputationError: 500,
  JobManagerCrashedError: 501,
  JobManagerExceededMaximumDurationError: 501,
  DatasetWithTooManyConfigsError: 501,
  DatasetWithTooManySplitsError: 501,
  DatasetWithScriptNotSupportedError: 501,
  NoSupportedFeaturesError: 501,
  NotSupportedDisabledViewerError: 501,
} as const

export type ViewerCode = keyof typeof viewerStatuses

/** Why the viewer does not answer. */
export class ViewerFault extends Error {
  readonly code: ViewerCode
  /** Commit that the dataset was read from, where it is known. */
  revision: string | undefined

  constructor(code: ViewerCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  get status() {
    return viewerStatuses[this.code]
  }
}

const isCode = (code: string): code is ViewerCode => Object.hasOwn(viewerStatuses, code)

/** The fault of a stored problem of a dataset, a config or a split. */
export function faultOf({ code, message }: { code: string; message: string }): ViewerFault {
  return new ViewerFault(isCode(code) ? code : 'UnexpectedApiError', message)
}
