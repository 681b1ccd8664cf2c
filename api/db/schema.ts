import { authTables } from '../auth/tables.ts'
import { chunkTables } from '../chunk/tables.ts'
import { collectionTables } from '../collections/tables.ts'
import { discussionTables } from '../discussions/tables.ts'
import { eventTables } from '../events/tables.ts'
import { gitTables } from '../git/tables.ts'
import { jobTables } from '../jobs/tables.ts'
import { lfsTables } from '../lfs/tables.ts'
import { namespaceTables } from '../namespaces/tables.ts'
import { repoTables } from '../repos/tables.ts'
import { uploadTables } from '../uploads/tables.ts'
import { webhookTables } from '../webhooks/tables.ts'
import type { Columns } from './columns.sqlite.ts'

/** Every table of the product, in one engine's column types. Rooms declare; only this file collects. */
export const schema = (c: Columns) => {
  const ofNamespaces = namespaceTables(c)
  const ofRepos = repoTables(c)
  return {
    ...ofNamespaces,
    ...authTables(c),
    ...ofRepos,
    ...gitTables(c),
    ...lfsTables(c),
    ...uploadTables(c),
    ...chunkTables(c),
    ...discussionTables(c, ofRepos.repos),
    ...collectionTables(c, ofRepos.repos),
    ...webhookTables(c, ofRepos.repos, ofNamespaces.namespaces),
    ...jobTables(c),
    ...eventTables(c),
  }
}

/** The tables as queries see them, whichever engine is behind. */
export type Tables = ReturnType<typeof schema>
