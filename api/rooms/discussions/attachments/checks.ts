import { asc, gt } from 'drizzle-orm'
import type { Check } from '../../../core/check.ts'
import { blobKeys } from '../../../stores/storage/index.ts'
import { findAttachment } from './queries.ts'

const PAGE = 500

/** The bytes of every image in comments are there, as long as they were. */
export const attachmentCheck: Check = {
  name: 'attachments',
  async *run({ db, blobs }, { repoId }) {
    // An image belongs to a person, and may be shown in several repos.
    if (repoId !== undefined) return
    const { attachments: a } = db.t
    for (let last = ''; ;) {
      const rows = await db.q.select().from(a).where(gt(a.id, last)).orderBy(asc(a.id)).limit(PAGE)
      for (const { id, size } of rows) {
        const stat = await blobs.stat(blobKeys.attachment(id))
        // It may have been removed meanwhile.
        if (stat?.sizeBytes === size || !(await findAttachment(db, id))) continue
        const message = `the bytes of image ${id} are ${stat ? 'not as many as were stored' : 'gone'}; its author must upload it again`
        yield { check: 'attachments.bytes', severity: 'error', message }
      }
      const end = rows.at(-1)
      if (!end) return
      last = end.id
    }
  },
}
