import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isFolderMetadata, isMediaOf } from '../configs/builders.ts'
import type { PlannedConfig } from '../configs/plan.ts'
import type { SourceFile } from '../configs/source-file.ts'
import type { FolderMedia, LocalFile } from './child/messages.ts'
import { bringSources } from './sources.ts'
import type { SplitResult, SplitTask } from './split-task.ts'
import { convertTable } from './table-split.ts'

const kinds: Record<string, Pick<FolderMedia, 'kind' | 'column'>> = {
  imagefolder: { kind: 'Image', column: 'image' },
  audiofolder: { kind: 'Audio', column: 'audio' },
  videofolder: { kind: 'Video', column: 'video' },
  pdffolder: { kind: 'Pdf', column: 'pdf' },
}

/** Builders of folders that are converted here. */
export const folderBuilders = Object.keys(kinds)

/** Images, sounds, videos or documents in folders: a row for each file, or for each row of their metadata. */
export async function convertFolder(task: SplitTask): Promise<SplitResult> {
  const { config, sources, folder } = task
  const archives = sources.filter(({ path }) => path.toLowerCase().endsWith('.zip'))
  const media = mediaOf(task)
  const isTable = ({ path }: SourceFile) => isFolderMetadata(path)
  const { max_convert_bytes: maxBytes } = task.ctx.config.viewer
  const paths = sources.map(({ path }) => path).filter((path) => isMediaOf(config.builder, path))
  if (archives.length > 0) {
    const wanted = media.hasMetadata ? [...sources.filter(isTable), ...archives] : archives
    const { files, isCut } = await bringSources(task.ctx, task.snapshot, wanted, { folder, maxBytes })
    const listed = await listFile(join(folder, 'files'), task.root, paths, undefined)
    const read = { builder: 'media-archives', builderName: config.builder, media } as const
    return convertTable(task, { ...read, files: [listed, ...files], isCut })
  }
  if (media.hasMetadata) {
    const tables = sources.filter(isTable)
    const { files, isCut } = await bringSources(task.ctx, task.snapshot, tables, { folder, maxBytes })
    return convertTable({ ...task, sources: tables }, { builder: 'folder', media, files, isCut })
  }
  const files = [await listFile(join(folder, 'files'), task.root, paths, media.labels)]
  return convertTable(task, { builder: 'folder', media, files, isCut: false })
}

async function listFile(
  path: string,
  root: string,
  paths: readonly string[],
  labels: readonly string[] | undefined,
): Promise<LocalFile> {
  const numbers = new Map(labels?.map((label, i) => [label, i]))
  function* lines() {
    for (const each of paths)
      yield `${JSON.stringify({ path: each, label: numbers.get(parentOf(each, root)) ?? null })}\n`
  }
  await pipeline(Readable.from(lines()), createWriteStream(path))
  return { name: 'the list of files', path }
}

/** Name of the folder that a file lies in; that of the root is the end of the address of the revision. */
function parentOf(path: string, root: string): string {
  const parts = path.split('/')
  return parts.at(-2) ?? root.split('/').at(-2) ?? ''
}

/** What the columns are: labels are names of folders, where all splits have more than one at the same depth. */
function mediaOf({ config, root }: SplitTask): FolderMedia {
  const { drop_labels: dropLabels, drop_metadata: dropMetadata } = config.options
  const base = { ...(kinds[config.builder] ?? { kind: 'Image', column: 'image' }), root }
  const hasTables = config.splits.some(({ files }) => files.some(isFolderMetadata))
  const isKnown = Object.keys(config.options).every((key) => known.has(key))
  if (hasTables && !(dropLabels === true && dropMetadata === true))
    return { ...base, hasMetadata: dropMetadata !== true, isExact: isKnown && hasTablesInAll(config) }
  const [labels, depths, decisions] = [new Set<string>(), new Set<number>(), [] as boolean[]]
  for (const { files } of config.splits) {
    for (const path of files.filter((each) => isMediaOf(config.builder, each))) {
      labels.add(parentOf(path, root))
      depths.add(path.split('/').length)
    }
    // The library decides for each split by what it has seen so far; the last decision makes the columns.
    decisions.push(typeof dropLabels === 'boolean' ? !dropLabels : labels.size > 1 && depths.size === 1)
  }
  const hasLabels = decisions.at(-1) === true
  return {
    ...base,
    hasMetadata: false,
    ...(hasLabels ? { labels: [...labels].sort(byCodePoint) } : {}),
    isExact: isKnown && decisions.every((each) => each === hasLabels),
  }
}

const hasTablesInAll = ({ splits }: PlannedConfig) =>
  splits.every(({ files }) => files.some(isFolderMetadata))

const known = new Set(['drop_labels', 'drop_metadata', 'version', 'description'])

const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
