export { findAbsent, linkArrived, markAbsent, markPulling, type Absence } from './absent.ts'
export { lfsCheck } from './checks.ts'
export { deleteDiscarded, deleteReserved } from './deletions.ts'
export { forgetObjects } from './forget-objects.ts'
export { gcJob, gcTicket, runSweeps } from './gc.ts'
export { extendHold, heldUntil, placeHold, releaseHold } from './holds.ts'
export { checkPointers, findLinked, linkPointers, unlinkRepo, type PointerCheck } from './links.ts'
export { namedBlobs, type NamedBlob } from './named-blobs.ts'
export { openObject, openObjects, type OpenObject } from './open-object.ts'
export { formatPointer, parsePointer, POINTER_MAX_BYTES, type Pointer } from './pointer.ts'
export { pendingBytes, type Pending, type PendingScope } from './pending.ts'
export { findHeld, findInRepo, findUsable, isUsable, mayUse, touch } from './possession.ts'
export { findCompletingUploads, hasLiveJob, type ObjectRow } from './queries.ts'
export {
  statesUnderWay,
  uploadRoutes,
  uploadStates,
  type UploadRoute,
  type UploadState,
} from './upload-states.ts'
export {
  discardKeys,
  grantObjects,
  keepKeys,
  recordBytes,
  recordObject,
  reserveKeys,
  type ObjectOwner,
  type ProvenObject,
} from './record.ts'
export { dropFault, listFaults, type BlobFault } from './scrub/faults.ts'
export { SCRUB_SCHEDULE, scrubJob } from './scrub/job.ts'
export { objectScrub } from './scrub/objects.ts'
export { dropLinks, listLinks } from './stale-links.ts'
