export { openLook } from './look/look.ts'
export { logoRows } from './look/rows.ts'
export { readOverview, type Overview } from './overview.ts'
export { STORAGE_SCHEDULE, storageCount } from './storage/count-storage.ts'
