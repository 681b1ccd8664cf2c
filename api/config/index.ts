export type { Bytes, Ms } from './makers.ts'
export type { Config } from './schema.ts'
