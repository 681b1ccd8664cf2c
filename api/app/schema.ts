import { adminTables } from '../rooms/admin/tables.ts'
import { branchRuleTables } from '../rooms/content/branch-rules/tables.ts'
import { authTables } from '../rooms/auth/tables.ts'
import { chunkTables } from '../rooms/chunk/tables.ts'
import { collectionTables } from '../rooms/collections/tables.ts'
import { datasetTables } from '../rooms/datasets/tables.ts'
import { discussionTables } from '../rooms/discussions/tables.ts'
import { eventTables } from '../core/events/tables.ts'
import { factTables } from '../rooms/facts/tables.ts'
import { gitTables } from '../core/git/tables.ts'
import { jobTables } from '../core/jobs/tables.ts'
import { lfsTables } from '../core/lfs/tables.ts'
import { mirrorTables } from '../rooms/mirrors/tables.ts'
import { namespaceTables } from '../rooms/namespaces/tables.ts'
import { quantTables } from '../rooms/quants/tables.ts'
import { repoTables } from '../rooms/repos/tables.ts'
import { scanTables } from '../rooms/scans/tables.ts'
import { upstreamTables } from '../rooms/upstreams/tables.ts'
import { searchTables } from '../rooms/search/tables.ts'
import { uploadTables } from '../rooms/uploads/tables.ts'
import { webhookTables } from '../rooms/webhooks/tables.ts'
import type { Columns } from '../stores/db/columns.sqlite.ts'

/** Every table of the product, in one engine's column types. Rooms declare them; this file collects them for `openDb`. */
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
    ...mirrorTables(c, ofRepos.repos),
    ...upstreamTables(c, ofNamespaces.namespaces),
    ...chunkTables(c),
    ...factTables(c),
    ...quantTables(c, ofRepos.repos),
    ...discussionTables(c, ofRepos.repos),
    ...collectionTables(c, ofRepos.repos),
    ...scanTables(c, ofRepos.repos),
    ...branchRuleTables(c, ofRepos.repos),
    ...datasetTables(c, ofRepos.repos),
    ...webhookTables(c, ofRepos.repos, ofNamespaces.namespaces),
    ...searchTables(c),
    ...jobTables(c),
    ...eventTables(c),
    ...adminTables(c),
  }
}
