import { requireUser, type Actor, type RepoAction } from '../../../core/access/index.ts'
import { signerOf, type Signer } from '../../auth/index.ts'

/** What the bearer of a signed address does in its signer's name. Each use asks whether the signer still may. */
export interface Grant {
  repoId: string
  action: Extract<RepoAction, 'repo.files' | 'repo.commit' | 'repo.open-pull-request'>
}

/** A grant as an address says it. Without a signer it was made for anonymous callers. */
export interface SignedGrant extends Grant {
  signer?: Signer
}

// One short parameter, since a batch answers up to 10 000 addresses.
const form =
  /^(repo\.(?:files|commit|open-pull-request))_([\da-f-]+)(?:_([\da-f-]+)_(token|session|key)_([\da-f-]+))?$/

/** The grant of this caller as one query parameter that needs no escaping: ids hold no `_`. */
export function grantText(actor: Actor, { repoId, action }: Grant): string {
  const grant = `${action}_${repoId}`
  if (actor.kind === 'anonymous') return grant
  const { userId, tokenId, sessionId, keyId } = signerOf(requireUser(actor))
  const [means, id] =
    tokenId !== undefined ? ['token', tokenId] : keyId === undefined ? ['session', sessionId] : ['key', keyId]
  return `${grant}_${userId}_${means}_${id}`
}

/** What `grantText` wrote; `undefined` for any other text. Trust it only after the signature of its address. */
export function readGrant(text: string): SignedGrant | undefined {
  const [, action, repoId, userId, means, id] = form.exec(text) ?? []
  if (action === undefined || repoId === undefined) return undefined
  const grant = { action: action as Grant['action'], repoId }
  if (userId === undefined) return grant
  return { ...grant, signer: { userId, [`${means}Id`]: id } }
}
