import type { Check } from '../check.ts'
import type { ImageRows } from './rows.ts'

const PAGE = 500

/** The bytes of every image of a table are there, as long as they were. `remedy` says what to do about one whose are not. */
export const imageCheck = (rows: ImageRows, remedy: string): Check => ({
  name: rows.kind,
  async *run({ db, blobs }, { repoId }) {
    // An image belongs to a person or an organisation, not to a repo.
    if (repoId !== undefined) return
    for (let last = ''; ;) {
      const page = await rows.after(db, last, PAGE)
      for (const { id, size } of page) {
        const stat = await blobs.stat(rows.keyOf(id))
        // It may have been removed meanwhile.
        if (stat?.sizeBytes === size || !(await rows.find(db, id))) continue
        const message = `the bytes of image ${id} are ${stat ? 'not as many as were stored' : 'gone'}; ${remedy}`
        yield { check: `${rows.kind}.bytes`, severity: 'error', message }
      }
      const end = page.at(-1)
      if (!end) return
      last = end.id
    }
  },
})
