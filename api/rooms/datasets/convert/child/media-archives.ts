import { readFile } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { isFolderMetadata, isMediaOf } from '../../configs/builders.ts'
import { convertDescribedArchives, type Archive } from './described-archives.ts'
import { readFooter } from './footers.ts'
import type { LocalFile, MadeTable, Report, Setup, TableTask } from './messages.ts'
import { ParquetRows } from './parquet-writer.ts'
import { TaskFault } from './task-fault.ts'
import { isZip, memberBytes, zipMembers } from './zip-members.ts'

const WARNING =
  'The library finds no labels in zip files, and fails where it looks for them. Set drop_labels in the card, or upload the files in folders.'

/**
 * Media of a folder some of which lie in zip files: those become cells with their bytes, as no address names them. Other
 * files stay where they are.
 */
export async function convertMediaArchives(
  setup: Setup,
  task: TableTask,
  report: (report: Report) => void,
  openDuck: () => Promise<DuckDBConnection>,
): Promise<MadeTable> {
  const { media, builderName = '', options } = task
  const [list, ...others] = task.files
  if (!media || !list) throw new Error('archives without media')
  const archives: Archive[] = others.filter(isZip).map((file) => ({ file, members: zipMembers(file) }))
  const members = archives.flatMap((archive) => archive.members)
  const isDescribed = media.hasMetadata || members.some(({ path }) => isFolderMetadata(path))
  if (isDescribed && options['drop_metadata'] !== true) {
    const tables = others.filter((file) => !isZip(file))
    return convertDescribedArchives(await openDuck(), { setup, task, media, tables, archives, report })
  }
  const listed = await listedIn(list)
  const own = members.filter(({ path }) => isMediaOf(builderName, path))
  const isFlat = members.every(({ path }) => !path.includes('/'))
  const { features = [{ name: media.column, type: { _type: media.kind } }] } = task
  if (features.length !== 1 || features[0]?.name !== media.column)
    throw new TaskFault(
      'DatasetGenerationCastError',
      task.isGiven
        ? `The card gives other columns than ${media.column}, which is all that media in zip files have. Remove them from the card.`
        : `Another split has other columns than ${media.column}, which is all that media in zip files have. Add a metadata file to each split.`,
    )
  const isExact = media.isExact && listed.length === 0 && own.length === members.length
  const hasLabels = !isFlat && options['drop_labels'] !== true
  report({
    type: 'preview',
    preview: { features, isExact: isExact && !hasLabels, warnings: hasLabels ? [WARNING] : [] },
  })
  const rows = new ParquetRows(task.folder, features, setup.maxGroupRows)
  for (const path of listed) await rows.add([{ bytes: null, path: media.root + path }], path.length)
  const all = own.reduce((sum, { packedBytes }) => sum + packedBytes, 0)
  let [left, done, isPartial] = [task.maxBytes, 0, false]
  for (const member of own) {
    isPartial = left <= 0
    if (isPartial) break
    const bytes = await memberBytes(member)
    await rows.add([{ bytes, path: member.path }], bytes.length)
    left -= bytes.length
    done += member.packedBytes
    report({ type: 'progress', done: done / Math.max(1, all) })
  }
  const files = []
  for (const path of await rows.end()) files.push({ path, ...(await readFooter(path)) })
  return { files, isPartial, readBytes: done }
}

/** Paths of the repo, of a list with one in each line. */
async function listedIn({ path: list }: LocalFile): Promise<string[]> {
  const lines = (await readFile(list, 'utf8')).split('\n').filter(Boolean)
  return lines.map((line) => (JSON.parse(line) as { path: string }).path)
}
