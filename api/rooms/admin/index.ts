export { readOverview, type Overview } from './overview.ts'
