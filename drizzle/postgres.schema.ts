import { columns } from '../api/db/columns.postgres.ts'
import type { Columns } from '../api/db/columns.sqlite.ts'
import { schema } from '../api/db/schema.ts'

// drizzle-kit reads the exports of this module.
export const {
  namespaces,
  users,
  members,
  sessions,
  tokens,
  device_logins,
  throttles,
  repos,
  repo_redirects,
  repo_tags,
  collaborators,
  likes,
  access_requests,
  git_refs,
  git_ref_log,
  git_packs,
  git_commits,
  git_chains,
  git_dirs,
  git_changes,
  lfs_objects,
  lfs_links,
  lfs_grants,
  blob_deletions,
  uploads,
  upload_parts,
  jobs,
  job_schedules,
  audit,
} = schema(columns as unknown as Columns)
