/** What a review is written with: one file to fetch, since each of its own makes every first view larger. */
export { default as FinishReview } from './finish-review.tsx'
export { default as PendingComment } from './pending-comment.tsx'
export { default as ReviewForm } from './review-form.tsx'
