export { readOverview, type Overview } from './overview.ts'
export { STORAGE_SCHEDULE, storageCount } from './storage/count-storage.ts'
