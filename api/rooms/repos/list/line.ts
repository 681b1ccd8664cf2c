import type { Repo } from '../queries.ts'

type Told =
  | 'id'
  | 'type'
  | 'ns'
  | 'name'
  | 'visibility'
  | 'gated'
  | 'description'
  | 'disabledAt'
  | 'downloads30d'
  | 'downloadsTotal'
  | 'headBytes'
  | 'likes'
  | 'createdAt'
  | 'updatedAt'
  | 'task'
  | 'library'
  | 'trending'

/** What a repo's row says to whoever may see it, without what the repo is to them. */
export type RepoLine = Pick<Repo, Told>
