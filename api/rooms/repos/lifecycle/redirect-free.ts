import type { Tx } from '../../../stores/db/index.ts'
import { findNamespace, lockNamespace } from '../../namespaces/index.ts'
import type { RepoAddress } from '../address.ts'
import { addRedirect, holderOf } from '../queries.ts'

/**
 * Lets an address lead to a repo, unless a repo holds that address. All that give a repo an address hold its namespace as
 * well, so that none takes this one meanwhile.
 */
export async function redirectFree(tx: Tx, from: RepoAddress, repoId: string, now: Date): Promise<void> {
  const space = await findNamespace(tx, from.ns)
  if (space) {
    await lockNamespace(tx, space.id)
    if (await holderOf(tx, { type: from.type, namespaceId: space.id, name: from.name })) return
  }
  await addRedirect(tx, from, repoId, now)
}
