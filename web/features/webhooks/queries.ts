import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { useMutation } from '../../lib/mutation.ts'
import { pagedQuery } from '../../lib/paging.ts'

export type Webhook = Operations['getWebhook']['result']
export type Delivery = Operations['listWebhookDeliveries']['result']['items'][number]
export type WebhookCreate = Operations['createWebhook']['args']['body']
export type WebhookUpdate = Operations['updateWebhook']['args']['body']

/** Which webhooks: those of a namespace, of a repo (`models/ns/name`), or all that the person manages. */
export interface WebhookFilter {
  ns?: string
  repo?: string
}

const activeMs = 2000

/** Retries come after 30 s or more (docs/webhooks.md), and new deliveries whenever something happens. */
const restMs = 10_000

const askAgainAfter = (deliveries: Delivery[]): number =>
  deliveries.some(({ status }) => status === 'queued' || status === 'delivering') ? activeMs : restMs

export const webhooksQuery = (filter: WebhookFilter) =>
  pagedQuery(['webhooks', 'list', filter], (at, signal) =>
    api.listWebhooks({ query: { ...filter, ...at } }, { signal }),
  )

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'one', id],
    queryFn: ({ signal }) => api.getWebhook({ params: { id } }, { signal }),
  })

/** Asked again while the page is open: more often while something is being sent. */
export const deliveriesQuery = (id: string) => ({
  ...pagedQuery(['webhooks', 'deliveries', id], (at, signal) =>
    api.listWebhookDeliveries({ params: { id }, query: { ...at, limit: 25 } }, { signal }),
  ),
  refetchInterval: ({ state }: { state: { data?: { pages: { items: Delivery[] }[] } | undefined } }) =>
    askAgainAfter(state.data?.pages.flatMap(({ items }) => items) ?? []),
})

function useWebhookChange<A, R>(mutationFn: (args: A) => Promise<R>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => cache.invalidateQueries({ queryKey: ['webhooks'] }) })
}

export const useCreateWebhook = () => useWebhookChange((body: WebhookCreate) => api.createWebhook({ body }))

export const useUpdateWebhook = (id: string) =>
  useWebhookChange((body: WebhookUpdate) => api.updateWebhook({ params: { id }, body }))

export const useDeleteWebhook = (id: string) =>
  useWebhookChange((_: undefined) => api.deleteWebhook({ params: { id } }))

export const useTestWebhook = (id: string) =>
  useWebhookChange((_: undefined) => api.testWebhook({ params: { id } }))

export const useRedeliver = (id: string) =>
  useWebhookChange((delivery_id: string) => api.redeliverWebhook({ params: { id, delivery_id } }))
