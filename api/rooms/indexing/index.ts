export { countChildren } from './dependencies.ts'
export { INDEX_VERSION, indexMoves, queueIndex, repoIndex } from './index-job.ts'
export { queueReindex, repoReindex, requestReindex } from './reindex.ts'
