import { sizeCategories } from '../../../shared/vocabulary.ts'
import type { Findings } from './findings.ts'
import { distinct, words } from './words.ts'

/*
 * What the card of a dataset says of its columns and rows, as the `datasets` library writes it into `dataset_info`
 * (datasets: src/datasets/info.py).
 */

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const infosOf = (matter: Record<string, unknown>): Record<string, unknown>[] => {
  const info = matter['dataset_info']
  return (Array.isArray(info) ? (info as unknown[]) : [info]).filter(isMap)
}

/** Rows of all splits of all configurations; nothing where a split does not say. */
export function rowsOfCard(matter: Record<string, unknown>): number | undefined {
  const splits = infosOf(matter).flatMap(({ splits: list }) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  )
  if (splits.length === 0) return undefined
  let rows = 0
  for (const split of splits) {
    const count = isMap(split) ? split['num_examples'] : undefined
    if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) return undefined
    rows += count
  }
  return Number.isSafeInteger(rows) ? rows : undefined
}

interface Column {
  name: string
  dtype: string
  isList: boolean
}

const maxColumns = 10_000

function columnsOf(matter: Record<string, unknown>): Column[] {
  const features = infosOf(matter).flatMap((info) => {
    const list = info['features']
    return Array.isArray(list) ? (list as unknown[]) : []
  })
  return features
    .slice(0, maxColumns)
    .filter(isMap)
    .map((feature) => {
      const list = feature['sequence'] ?? feature['list']
      const dtype = list ?? feature['dtype']
      return {
        name: typeof feature['name'] === 'string' ? feature['name'] : '',
        dtype: typeof dtype === 'string' ? dtype.toLowerCase() : '',
        isList: list !== undefined,
      }
    })
}

const modalities = [
  '3d',
  'audio',
  'document',
  'geospatial',
  'image',
  'tabular',
  'text',
  'timeseries',
  'video',
]
const mediaTypes = new Map([
  ['audio', 'audio'],
  ['image', 'image'],
  ['video', 'video'],
  ['pdf', 'document'],
])

/** Modalities of a dataset: those its tags force, else by columns and files (indexing.md §4). */
export function modalitiesOf(
  matter: Record<string, unknown>,
  { modalities: ofFiles, columns: converted = [] }: Pick<Findings, 'modalities' | 'columns'>,
): string[] {
  const forced = words(matter['tags']).flatMap((tag) => /^modality:(.+)$/.exec(tag)?.[1] ?? [])
  const stated = forced.filter((modality) => modalities.includes(modality))
  if (stated.length > 0) return distinct(stated).sort()
  const stored = columnsOf(matter)
  const columns = stored.length > 0 ? stored : converted
  const found = new Set(ofFiles)
  for (const { name, dtype, isList } of columns) {
    const media = mediaTypes.get(dtype)
    if (media) found.add(media)
    if (!isList && (dtype === 'string' || dtype === 'large_string')) found.add('text')
    if (isList && dtype === 'float32' && !name.includes('emb')) found.add('timeseries')
  }
  const hasMedia = [...mediaTypes.values()].some((media) => found.has(media))
  const numeric = columns.filter(({ dtype, isList }) => !isList && /^(u?int|float)\d+$/.test(dtype))
  if (numeric.length >= 2 && !hasMedia) found.add('tabular')
  return [...found].sort()
}

/** The public hub's size of a dataset with so many rows. */
export const sizeCategory = (rows: number): string =>
  sizeCategories[Math.min(sizeCategories.length - 1, Math.max(0, String(rows).length - 3))] ?? 'n>1T'
