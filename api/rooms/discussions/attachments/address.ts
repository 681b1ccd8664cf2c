import { attachmentTypes, type AttachmentType } from '../../../../shared/vocabulary.ts'

const id = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const endings = attachmentTypes.join('|')

/** What stands behind `/uploads/`, as routes take it. */
export const filePattern = `${id}\\.(?:${endings})`

const within = new RegExp(`/uploads/(${id})\\.(?:${endings})(?![\\w-])`, 'g')

/** A comment that showed more would be no comment. */
const MAX_NAMED = 100

/** The path of an image. */
export const attachmentPath = (attachment: { id: string; type: AttachmentType }): string =>
  `/uploads/${attachment.id}.${attachment.type}`

/** Ids of the images that a text names, the first hundred. */
export function namedIn(text: string): string[] {
  const found = new Set<string>()
  for (const [, named = ''] of text.matchAll(within)) {
    found.add(named)
    if (found.size === MAX_NAMED) break
  }
  return [...found]
}
