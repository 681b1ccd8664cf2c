import { Problem } from '../../platform/problems/index.ts'
import { leastRole, type NamespaceAction, type RepoAction } from './can.ts'

/** Each action as it follows "You may not". */
const inWords: Record<RepoAction | NamespaceAction, string> = {
  'repo.get': 'see this repository',
  'repo.read': 'read this repository',
  'repo.card': 'read the card of this repository',
  'repo.files': 'read the files of this repository',
  'repo.zip': 'export this repository as a zip file',
  'repo.compare': 'compare files of this repository',
  'repo.like': 'like this repository',
  'repo.watch': 'watch this repository',
  'repo.request-access': 'ask for access to this repository',
  'repo.open-pull-request': 'open pull requests in this repository',
  'repo.discuss': 'take part in the discussions of this repository',
  'repo.commit': 'change the files, branches and tags of this repository',
  'repo.merge': 'merge pull requests in this repository',
  'repo.edit-discussions': 'change what others have opened or written in this repository',
  'repo.hide-comments': 'hide comments in this repository',
  'repo.settings': 'change the settings of this repository',
  'repo.collaborators': 'see the collaborators of this repository',
  'repo.collaborators.set': 'change the collaborators of this repository',
  'repo.webhooks': 'manage the webhooks of this repository',
  'repo.access-requests': 'see who has asked for access to this repository',
  'repo.access-requests.decide': 'decide who gets access to this repository',
  'repo.rename': 'rename this repository',
  'repo.transfer': 'transfer this repository',
  'repo.force-push': 'rewrite the history of this repository',
  'repo.delete': 'delete this repository or large files in it for good',
  'repo.restore': 'restore this repository',
  'namespace.create-repo': 'create repositories in this namespace',
  'namespace.receive-repo': 'transfer repositories to this namespace',
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
