import { time } from '../../core/http/contract.ts'
import type { FoundCard } from './cards/search-cards.ts'

/** A found card as answers give it. */
export const viewCard = ({ task, updatedAt, ...card }: FoundCard) => ({
  ...card,
  ...(task === null ? {} : { task }),
  updated_at: time(updatedAt),
})
