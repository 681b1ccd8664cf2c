import { hasRole, useRepo } from '../../lib/repo-context.ts'
import { useMe } from '../../lib/session.ts'
import type { Discussion, DiscussionEvent } from '../../lib/types.ts'

/** What the viewer may do in a repo's community (native-api.md §3); the server decides again. */
export function useRights() {
  const { repo } = useRepo()
  const me = useMe()
  const isMine = ({ author }: Pick<Discussion | DiscussionEvent, 'author'>) =>
    me !== null && me !== undefined && author?.username === me.username
  const canWrite = Boolean(me) && hasRole(repo, 'write')
  return {
    /** `undefined` while it is not known. */
    isSignedIn: me === undefined ? undefined : me !== null,
    canSpeak: Boolean(me) && !repo.deleted_at,
    /** Whether a pull request could be made onto it at all, from here or from a terminal. */
    canBeChanged: repo.head_commit !== undefined && (!repo.disabled || Boolean(me?.is_admin)),
    canMerge: canWrite,
    canHide: Boolean(me) && hasRole(repo, 'admin'),
    /** Close, reopen and retitle a discussion; change the text of a comment. */
    canEdit: (what: Pick<Discussion | DiscussionEvent, 'author'>) => canWrite || isMine(what),
  }
}
