import type { Columns } from './columns.sqlite.ts'

/**
 * The tables as queries see them, whichever engine is behind. Each room adds its own where it declares them
 * (`tables.ts`); `api/app/schema.ts` puts them together and hands them to `openDb`.
 */
export interface Tables {}

/** All tables of a database, in one engine's column types. */
export type Schema = (columns: Columns) => Tables
