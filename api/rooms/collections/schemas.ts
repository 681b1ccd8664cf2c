import { collectionThemes, limits, roles, visibilities } from '../../../shared/vocabulary.ts'
import { listOf, RepoRef, Time, z } from '../../core/http/contract.ts'
import { Repo, Text } from '../repos/schemas.ts'

const Title = Text.trim().min(1).max(limits.collectionTitle)
const Description = Text.max(limits.collectionDescription)
const Note = Text.max(limits.collectionNote)
const Place = z
  .int()
  .min(0)
  .max(2 ** 31 - 1)

const CollectionRef = z
  .strictObject({ type: z.literal('collection'), ns: z.string(), slug: z.string() })
  .openapi('CollectionRef')

/** What an item stands for. */
const ItemRef = z.discriminatedUnion('type', [RepoRef, CollectionRef])

const facts = {
  id: z.string(),
  ns: z.string(),
  slug: z.string().openapi({ description: 'Changes with the title; former ones lead here as well.' }),
  title: z.string(),
  description: z.string().optional(),
  visibility: z.enum(visibilities),
  theme: z.enum(collectionThemes).optional(),
  upvotes: z.int(),
  upvoted: z.boolean().openapi({ description: 'By the caller.' }),
  item_count: z.int().openapi({ description: 'Of the items the caller may see.' }),
  updated_at: Time,
}

export const InnerCollection = z.object(facts).openapi('InnerCollection')

export const CollectionItem = z
  .object({
    id: z.string(),
    item: ItemRef,
    note: z.string().optional(),
    position: z.int().openapi({ description: 'Among the items the caller may see, from 0.' }),
    repo: Repo.optional().openapi({ description: 'Where one collection is asked for.' }),
    collection: InnerCollection.optional().openapi({ description: 'Of an item that is a collection.' }),
  })
  .openapi('CollectionItem')

export const Collection = z
  .object({
    ...facts,
    items: z.array(CollectionItem).openapi({
      description: `What the caller may not see is left out. Lists show the first four.`,
    }),
    created_at: Time,
    my_role: z.enum(roles).optional().openapi({ description: 'In the namespace.' }),
  })
  .openapi('Collection')

export const CollectionList = listOf(Collection, 'CollectionList')

const settings = {
  description: Description.optional(),
  theme: z.enum(collectionThemes).optional(),
}

export const CollectionCreate = z
  .strictObject({
    ns: z.string(),
    title: Title,
    ...settings,
    visibility: z.enum(visibilities).default('private'),
  })
  .openapi('CollectionCreate')

export const CollectionUpdate = z
  .strictObject({
    title: Title.optional(),
    ...settings,
    theme: z.enum(collectionThemes).nullable().optional().openapi({ description: 'null takes it away.' }),
    visibility: z.enum(visibilities).optional(),
    position: Place.optional().openapi({
      description: 'Its place, from 0, among the collections of the namespace that the caller may see.',
    }),
  })
  .openapi('CollectionUpdate')

export const CollectionItemCreate = z
  .strictObject({ item: ItemRef, note: Note.optional() })
  .openapi('CollectionItemCreate')

export const CollectionItemUpdate = z
  .strictObject({ note: Note.optional(), position: Place.optional() })
  .openapi('CollectionItemUpdate')

export const UpvoteStatus = z.object({ upvoted: z.boolean(), upvotes: z.int() }).openapi('UpvoteStatus')
