import { queryOptions, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { pagedQuery } from '../../lib/paging.ts'
import type { Collection } from '../../lib/types.ts'

export type CollectionFilter = Pick<
  NonNullable<Operations['listCollections']['args']['query']>,
  'owner' | 'item' | 'q' | 'sort'
>
export type CollectionAddress = Operations['getCollection']['args']['params']
export type CollectionCreate = Operations['createCollection']['args']['body']
export type CollectionUpdate = Operations['updateCollection']['args']['body']
type ItemCreate = Operations['addCollectionItem']['args']['body']
export type ItemRef = ItemCreate['item']
export type RepoRef = Exclude<ItemRef, { type: 'collection' }>
type ItemUpdate = Operations['updateCollectionItem']['args']['body']

/** Collections in a page of the list. */
const pageSize = 30

export const collectionsQuery = (filter: CollectionFilter) =>
  pagedQuery(['collections', filter], (at, signal) =>
    api.listCollections({ query: { ...filter, limit: pageSize, ...at } }, { signal }),
  )

export const collectionQuery = (at: CollectionAddress) =>
  queryOptions({
    queryKey: ['collection', at.ns, at.slug] as const,
    queryFn: ({ signal }) => api.getCollection({ params: at }, { signal }),
  })

/** The collections of these owners, as many as one answer holds, in the order of each. */
export const ownCollectionsQuery = (owners: string[]) =>
  queryOptions({
    queryKey: ['collections', { owners }] as const,
    queryFn: async ({ signal }) => {
      const lists = owners.map((owner) => api.listCollections({ query: { owner, limit: 500 } }, { signal }))
      return (await Promise.all(lists)).flatMap(({ items }) => items)
    },
  })

/** The collections that a repo is in, as many as one answer holds. */
export const containingQuery = (item: string) =>
  queryOptions({
    queryKey: ['collections', { item, all: true }] as const,
    queryFn: async ({ signal }) =>
      (await api.listCollections({ query: { item, limit: 500 } }, { signal })).items,
  })

/** Repos and collections whose name or description contains some text. */
export const foundItemsQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', 'items', q] as const,
    queryFn: ({ signal }) => api.search({ query: { q, types: 'repos,collections', limit: 10 } }, { signal }),
    enabled: q !== '',
  })

/** Shows what the server answered, under the address it has now, and fetches the lists again. */
function keep(cache: QueryClient, collection: Collection, at: CollectionAddress): Promise<void> {
  for (const slug of new Set([at.slug, collection.slug]))
    cache.setQueryData(collectionQuery({ ns: collection.ns, slug }).queryKey, collection)
  return cache.invalidateQueries({ queryKey: ['collections'] })
}

export function useCreateCollection() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ body, repo }: { body: CollectionCreate; repo?: RepoRef | undefined }) => {
      const made = await api.createCollection({ body })
      const params = { ns: made.ns, slug: made.slug }
      return repo ? api.addCollectionItem({ params, body: { item: repo } }) : made
    },
    onSuccess: (made) => keep(cache, made, made),
    // It may be there although its first item was refused.
    onError: () => cache.invalidateQueries({ queryKey: ['collections'] }),
  })
}

/** A change that answers the collection. */
function useChange<T>(at: CollectionAddress, mutationFn: (input: T) => Promise<Collection>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: (changed) => keep(cache, changed, at),
    onError: () => cache.invalidateQueries({ queryKey: collectionQuery(at).queryKey }),
  })
}

export const useUpdateCollection = (at: CollectionAddress) =>
  useChange(at, (body: CollectionUpdate) => api.updateCollection({ params: at, body }))

export const useAddItem = (at: CollectionAddress) =>
  useChange(at, (body: ItemCreate) => api.addCollectionItem({ params: at, body }))

export function useUpvote(at: CollectionAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (upvoted: boolean) =>
      upvoted ? api.removeCollectionUpvote({ params: at }) : api.upvoteCollection({ params: at }),
    onSuccess: (status) => {
      cache.setQueryData(collectionQuery(at).queryKey, (shown) => (shown ? { ...shown, ...status } : shown))
      return cache.invalidateQueries({ queryKey: ['collections'] })
    },
  })
}

export const useNoteItem = (at: CollectionAddress) =>
  useChange(at, ({ id, note }: { id: string; note: string }) =>
    api.updateCollectionItem({ params: { ...at, id }, body: { note } satisfies ItemUpdate }),
  )

export const useRemoveItem = (at: CollectionAddress) =>
  useChange(at, async (id: string) => {
    await api.removeCollectionItem({ params: { ...at, id } })
    return api.getCollection({ params: at })
  })

/** Moves an item; the page shows it in its new place before the server has answered. */
export function useMoveItem(at: CollectionAddress) {
  const cache = useQueryClient()
  const { queryKey } = collectionQuery(at)
  return useMutation({
    mutationFn: ({ id, position }: { id: string; position: number }) =>
      api.updateCollectionItem({ params: { ...at, id }, body: { position } }),
    onMutate: async ({ id, position }) => {
      await cache.cancelQueries({ queryKey })
      cache.setQueryData(queryKey, (shown) => shown && { ...shown, items: moved(shown.items, id, position) })
    },
    onSuccess: (changed) => keep(cache, changed, at),
    onError: () => cache.invalidateQueries({ queryKey }),
  })
}

/** The rows with one of them in another place. */
function moved<T extends { id: string }>(rows: T[], id: string, position: number): T[] {
  const row = rows.find((each) => each.id === id)
  if (!row) return rows
  return rows.filter((each) => each !== row).toSpliced(position, 0, row)
}

export function useDeleteCollection(at: CollectionAddress) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => api.deleteCollection({ params: at }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['collections'] }),
  })
}

/** Puts a repo into a collection, or takes it out of it. */
export function useCollect(repo: RepoRef) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ collection, isIn }: { collection: Collection; isIn: boolean }) => {
      const params = { ns: collection.ns, slug: collection.slug }
      if (!isIn) return api.addCollectionItem({ params, body: { item: repo } })
      const { items } = await api.getCollection({ params })
      const found = items.find(({ item }) => isSame(item, repo))
      if (found) await api.removeCollectionItem({ params: { ...params, id: found.id } })
      return undefined
    },
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ['collections'] }),
        cache.invalidateQueries({ queryKey: ['collection'] }),
      ]),
  })
}

const isSame = (a: ItemRef, b: RepoRef) => a.type === b.type && a.ns === b.ns && a.name === b.name
