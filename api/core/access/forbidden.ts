import { Problem } from '../../platform/problems/index.ts'
import { leastRole, type NamespaceAction, type RepoAction } from './can.ts'

/** Each action as it follows "You may not". */
const inWords: Record<RepoAction | NamespaceAction, string> = {
  'repo.get': 'see this repo',
  'repo.read': 'read this repo',
  'repo.card': 'read the card of this repo',
  'repo.files': 'read the files of this repo',
  'repo.zip': 'export this repo as a zip file',
  'repo.compare': 'compare files of this repo',
  'repo.like': 'like this repo',
  'repo.watch': 'watch this repo',
  'repo.request-access': 'ask for access to this repo',
  'repo.open-pull-request': 'open pull requests in this repo',
  'repo.discuss': 'take part in the discussions of this repo',
  'repo.commit': 'change the files, branches and tags of this repo',
  'repo.merge': 'merge pull requests in this repo',
  'repo.edit-discussions': 'change what others have opened or written in this repo',
  'repo.hide-comments': 'hide comments in this repo',
  'repo.settings': 'change the settings of this repo',
  'repo.collaborators': 'see the collaborators of this repo',
  'repo.collaborators.set': 'change the collaborators of this repo',
  'repo.webhooks': 'manage the webhooks of this repo',
  'repo.access-requests': 'see who has asked for access to this repo',
  'repo.access-requests.decide': 'decide who gets access to this repo',
  'repo.rename': 'rename this repo',
  'repo.transfer': 'transfer this repo',
  'repo.force-push': 'rewrite the history of this repo',
  'repo.delete': 'delete this repo or large files in it for good',
  'repo.restore': 'restore this repo',
  'namespace.create-repo': 'create repos in this namespace',
  'namespace.receive-repo': 'transfer repos to this namespace',
  'namespace.edit': 'change or delete this organisation',
  'namespace.members.set': 'change the members of this organisation',
  'namespace.webhooks': 'manage the webhooks of this namespace',
  'namespace.edit-collections': 'edit collections in this namespace',
  'namespace.delete-collections': 'delete collections in this namespace',
  'namespace.see-storage': 'see how much this namespace holds',
}

/**
 * Problem `forbidden` that says what the caller may not do, and which role that needs; outside of a token's fence no role
 * helps.
 */
export function forbidden(action: RepoAction | NamespaceAction, isInsideFence: boolean): Problem {
  const reason = isInsideFence
    ? `: that needs the role ${leastRole(action)} there.`
    : ' with this access token: its fence does not include it.'
  return new Problem('forbidden', { detail: `You may not ${inWords[action]}${reason}` })
}
