import type { AttachmentType } from '../../../shared/vocabulary.ts'

/** What a browser shows as an image of each type, and nothing else. */
export const mediaTypes: Record<AttachmentType, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}

/** Enough of an image to tell its type. */
export const SNIFF_BYTES = 12

/** The type that the first bytes of an image say; `undefined` for anything else, whatever its sender calls it. */
export function typeOf(start: Uint8Array): AttachmentType | undefined {
  const text = Buffer.from(start.subarray(0, SNIFF_BYTES)).toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (text.startsWith('\xff\xd8\xff')) return 'jpg'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  return /^RIFF.{4}WEBP/s.test(text) ? 'webp' : undefined
}
