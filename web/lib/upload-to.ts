import type { Deed } from '../ui/commands/deeds.ts'
import type { Repo } from './types.ts'

/** The upload of a folder to a revision of a repo, or to a new pull request onto it. */
export const uploadTo = (repo: Repo, rev: string, asPull = false): Deed => ({
  kind: 'upload',
  repo: repo.full_name,
  type: repo.type,
  rev: rev === repo.default_branch ? undefined : rev,
  asPull,
})
