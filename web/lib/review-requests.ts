import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

/** The pull requests that wait for the person's review. */
export const reviewRequestsQuery = queryOptions({
  queryKey: ['review-requests'],
  queryFn: ({ signal }) => api.listReviewRequests({}, { signal }),
})
