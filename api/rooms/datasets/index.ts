export { convertMoves } from './convert/follow-moves.ts'
export { datasetConvert, queueConversion } from './convert/job.ts'
