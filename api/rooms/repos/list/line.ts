import type { Repo } from '../queries.ts'

type Shown =
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

/** What a repo's row says to callers who may see it, without what the repo is to them. */
export type RepoLine = Pick<Repo, Shown>
