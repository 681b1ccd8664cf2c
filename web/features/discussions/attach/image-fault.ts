import { limits } from '../../../../shared/vocabulary.ts'

/** What the server takes, as browsers name it. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** Why an image need not be sent at all. */
export function faultOf({ type, size }: File): string | undefined {
  if (!imageTypes.includes(type)) return 'Only PNG, JPEG, GIF and WebP images can be attached.'
  if (size > limits.attachmentBytes) return 'An image may have at most 10 MiB. Make it smaller and try again.'
  return size === 0 ? 'The file is empty.' : undefined
}
