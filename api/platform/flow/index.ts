export { FairQueue, type QueueCaller, type QueueLimits } from './fair-queue.ts'
export { Limiter } from './limiter.ts'
export { orAborted } from './or-aborted.ts'
export { noteArrival, Turns, turnToBegin, type Caller } from './turns.ts'
