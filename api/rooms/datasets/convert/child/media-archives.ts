import { readFile } from 'node:fs/promises'
import { isFolderMetadata, isMediaOf } from '../../configs/builders.ts'
import { bounded } from './decompress.ts'
import { readFooter } from './footers.ts'
import type { LocalFile, MadeTable, Report, Setup, TableTask } from './messages.ts'
import { ParquetRows } from './parquet-writer.ts'
import { notReadable, TaskFault } from './task-fault.ts'
import { isZip, zipMembers, type ZipMember } from './zip-members.ts'

/** A member is in memory as a whole. */
const MAX_MEMBER_BYTES = 256 * 1024 * 1024
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
): Promise<MadeTable> {
  const { media, builderName = '', options } = task
  if (!media) throw new Error('archives without media')
  const listed = await listedIn(task.files.filter((file) => !isZip(file)))
  const archives = task.files.filter(isZip).map((file) => ({ file, members: zipMembers(file) }))
  const members = archives.flatMap((archive) => archive.members)
  if (options['drop_metadata'] !== true) requireNoTables(members)
  const own = members.filter(({ path }) => isMediaOf(builderName, path))
  const isFlat = members.every(({ path }) => !path.includes('/'))
  const { features = [{ name: media.column, type: { _type: media.kind } }] } = task
  if (features.length !== 1 || features[0]?.name !== media.column)
    throw new TaskFault(
      'DatasetGenerationCastError',
      `The card gives other columns than ${media.column}, which is all that media in zip files have. Remove them from the card.`,
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
    const bytes = await bytesOf(member)
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
async function listedIn(lists: readonly LocalFile[]): Promise<string[]> {
  const texts = await Promise.all(lists.map(({ path }) => readFile(path, 'utf8')))
  const lines = texts.flatMap((text) => text.split('\n').filter(Boolean))
  return lines.map((line) => (JSON.parse(line) as { path: string }).path)
}

function requireNoTables(members: readonly ZipMember[]): void {
  const table = members.find(({ path }) => isFolderMetadata(path))
  if (table)
    throw notReadable(
      `The file ${table.name} describes media within an archive, which is not converted here. Upload the files themselves, or Parquet.`,
    )
}

async function bytesOf(member: ZipMember): Promise<Buffer> {
  const [chunks, tooLarge] = [[] as Buffer[], MAX_MEMBER_BYTES / 1024 ** 2]
  let size = 0
  try {
    for await (const chunk of bounded(member.open(), member.name, member.packedBytes)) {
      size += chunk.length
      if (size > MAX_MEMBER_BYTES)
        throw notReadable(
          `The file ${member.name} has more than ${tooLarge} MiB, which is the limit of a cell.`,
        )
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof TaskFault || !(error instanceof Error)) throw error
    throw notReadable(`The file ${member.name} cannot be decompressed: ${error.message}.`)
  }
  return Buffer.concat(chunks)
}
