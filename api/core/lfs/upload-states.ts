/**
 * What an upload's row goes through, `uploads.status`. Callers of the API see `joining` and `verifying` as `completing`.
 * The transitions are in `rooms/uploads/transitions.ts`.
 */
export const uploadStates = ['open', 'joining', 'verifying', 'complete', 'aborted'] as const
export type UploadState = (typeof uploadStates)[number]

/** The states of an upload that has not ended. */
export const statesUnderWay = ['open', 'joining', 'verifying'] satisfies UploadState[]

/**
 * How an upload's bytes travel, `uploads.via`: through this server, or straight into the bucket, there by one PUT or as
 * parts of a multipart upload of the store's own.
 */
export const uploadRoutes = ['server', 'bucket-put', 'bucket-parts'] as const
export type UploadRoute = (typeof uploadRoutes)[number]
