import { invalidField } from '../../platform/problems/index.ts'
import { limits } from '../../../shared/vocabulary.ts'

function bounded(field: string, text: string, most: number): string {
  if (text.includes('\0')) throw invalidField(field, 'must not contain NUL')
  if (text.length > most) throw invalidField(field, `must be at most ${most} characters`, 'too-long')
  return text
}

/** A title on one line. Problem `validation-failed`. */
export function titleOf(text: string): string {
  const title = bounded('title', text.replace(/\s+/g, ' ').trim(), limits.collectionTitle)
  if (title === '') throw invalidField('title', 'must not be empty', 'empty')
  return title
}

/** A description; `null` for an empty one. Problem `validation-failed`. */
export const descriptionOf = (text: string): string | null =>
  bounded('description', text.trim(), limits.collectionDescription) || null

/** A note; `null` for an empty one. Problem `validation-failed`. */
export const noteOf = (text: string): string | null =>
  bounded('note', text.trim(), limits.collectionNote) || null
