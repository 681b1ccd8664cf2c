import type { ScanStatus } from '../../../../shared/vocabulary.ts'
import type { Ctx } from '../../../core/ctx.ts'
import { contentOf, findResults, keyOf, type ListedFile, type Result } from '../content.ts'
import { shownStatus } from '../verdict.ts'

/** What is known of a file; `row` is absent where it was not looked at yet, or has nothing to look at. */
export interface FileVerdict {
  status: ScanStatus
  row?: Result
}

/**
 * The verdict on each of some files of a repo that the caller may read, by path. What has no bytes of its own, such as a
 * symlink or an empty file, is safe. One query for a thousand.
 */
export async function fileVerdicts(
  ctx: Pick<Ctx, 'db' | 'config'>,
  files: readonly ListedFile[],
): Promise<Map<string, FileVerdict>> {
  const contents = files.map((file) => ({ path: file.path, content: contentOf(file) }))
  const rows = await findResults(
    ctx.db,
    contents.flatMap(({ content }) => content ?? []),
  )
  return new Map(
    contents.map(({ path, content }): [string, FileVerdict] => {
      const row = content && rows.get(keyOf(content))
      if (row) return [path, { status: shownStatus(ctx, row.status), row }]
      return [path, { status: content ? 'pending' : 'safe' }]
    }),
  )
}
