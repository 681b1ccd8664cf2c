import type { UserActor } from '../../core/access/index.ts'
import type { Repo } from '../repos/index.ts'
import type { World } from '../../testing.ts'
import { addItem } from './add-item.ts'
import { createCollection, type NewCollection } from './create.ts'
import type { CollectionAddress } from './require.ts'
import { slugOf } from './slug.ts'

/** A collection of these repos: public, in its maker's namespace, unless `options` say otherwise. */
export async function givenCollection(
  world: World,
  actor: UserActor,
  repos: Repo[] = [],
  more: Partial<NewCollection> = {},
): Promise<CollectionAddress> {
  const title = `Collection ${Math.random().toString(36).slice(2)}`
  const wanted: NewCollection = { ns: actor.username, title, visibility: 'public', ...more }
  const { collection } = await createCollection(world.ctx(actor), wanted)
  const address = { ns: collection.ns, slug: slugOf(collection) }
  for (const repo of repos) await addItem(world.ctx(actor), address, { item: repo })
  return address
}
