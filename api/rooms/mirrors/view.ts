import { optionalTime, time, type z } from '../../core/http/contract.ts'
import type * as routes from './routes.ts'
import type { Mirror } from './settings/mirror.ts'
import type { ProvenanceRow } from './settings/small-origins.ts'
import { given } from './view-pull.ts'

export function viewMirror({
  row,
  localCommit,
  bytesPresent,
  bytesTotal,
  previous,
  distances: { behindBy, rewritten },
}: Mirror): z.input<typeof routes.Mirror> {
  const isBehind = row.upstream_commit !== null && row.upstream_commit !== row.local_commit
  return {
    upstream: row.upstream,
    repo: row.upstream_repo,
    revision: row.revision,
    selection: row.selection,
    tracking: row.tracking,
    ...given('schedule', row.schedule),
    history: row.history,
    fidelity: row.fidelity,
    state: row.state,
    ...given('upstream_commit', row.upstream_commit),
    ...given('local_commit', localCommit),
    behind: isBehind,
    ...given('behind_by', behindBy),
    ...given('last_sync_at', optionalTime(row.last_sync_at)),
    ...given('next_sync_at', optionalTime(row.next_sync_at)),
    ...given('error', row.error && { code: row.error.code, message: row.error.message }),
    bytes_present: bytesPresent,
    bytes_total: bytesTotal,
    previous: previous.map(({ commit, synced_at, job_id }) => ({
      commit,
      synced_at: time(synced_at),
      ...given('job', job_id),
      ...given('rewritten', rewritten.has(commit) || undefined),
    })),
  }
}

/** `usernames` are those of the accounts in the rows; an account that is gone has none. */
export const viewProvenance = (
  row: ProvenanceRow,
  usernames: ReadonlyMap<string, string>,
): z.input<typeof routes.Provenance> => ({
  path: row.path,
  upstream: row.upstream,
  repo: row.upstream_repo,
  commit: row.commit,
  sha256: row.sha256,
  size: row.size,
  fetched_at: time(row.fetched_at),
  ...given('job', row.job_id),
  ...given('username', row.user_id === null ? undefined : usernames.get(row.user_id)),
  verified: row.verified,
})
