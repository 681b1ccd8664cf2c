import type { Ctx } from '../../core/ctx.ts'
import { findPull, listPullFiles } from './queries.ts'

/** A member that is left out where there is nothing to say. */
export const given = <K extends string, V>(key: K, value: V | null | undefined): Partial<Record<K, V>> =>
  value === null || value === undefined ? {} : ({ [key]: value } as Record<K, V>)

/** What a pull shows beside its job: its files, why it waits, what did not come, the pulls it belongs to. */
export async function viewPull({ db }: Pick<Ctx, 'db'>, jobId: string) {
  const pull = await findPull(db, jobId)
  const files = await listPullFiles(db, jobId)
  return {
    files: files.map(({ path, size, done, status, error }) => ({
      path,
      size,
      done,
      status,
      ...given('error', error),
    })),
    ...given('note', pull?.note),
    warnings: pull?.warnings ?? [],
    ...given('parent', pull?.parent_id),
    children: pull?.children ?? [],
  }
}
