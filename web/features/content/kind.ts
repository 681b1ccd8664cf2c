import type { TreeEntry } from '../../lib/types.ts'
import { maxTextBytes } from './queries.ts'

export type FileKind =
  | 'image'
  | 'svg'
  | 'audio'
  | 'video'
  | 'pdf'
  | 'notebook'
  | 'markdown'
  | 'json'
  | 'table'
  | 'text'
  | 'binary'

const byExtension: Record<string, FileKind> = {
  apng: 'image',
  avif: 'image',
  bmp: 'image',
  gif: 'image',
  ico: 'image',
  jpeg: 'image',
  jpg: 'image',
  png: 'image',
  webp: 'image',
  md: 'markdown',
  markdown: 'markdown',
  json: 'json',
  svg: 'svg',
  flac: 'audio',
  m4a: 'audio',
  mp3: 'audio',
  ogg: 'audio',
  opus: 'audio',
  wav: 'audio',
  mp4: 'video',
  webm: 'video',
  mov: 'video',
  pdf: 'pdf',
  ipynb: 'notebook',
  csv: 'table',
  tsv: 'table',
  jsonl: 'table',
  ndjson: 'table',
  parquet: 'table',
  arrow: 'table',
}

const binary = new Set(
  'safetensors bin gguf pt pth ckpt onnx h5 msgpack npy npz zip gz tar zst 7z pkl pickle joblib model tflite'.split(
    ' ',
  ),
)

/** How a file is shown, by its name; what turns out to hold no text is shown as facts. */
export function kindOf(file: TreeEntry): FileKind {
  const extension = extensionOf(file)
  const known = byExtension[extension]
  const isLong = sizeOf(file) > maxTextBytes
  if (known === 'svg' && isLong) return 'image'
  if (known) return isLong && known === 'json' ? 'text' : known
  return binary.has(extension) ? 'binary' : 'text'
}

const extensionOf = ({ name }: TreeEntry) => name.slice(name.lastIndexOf('.') + 1).toLowerCase()

/** Whether a table is kept as text, which can be read and edited as such. */
export const isTextTable = (file: TreeEntry): boolean => !['parquet', 'arrow'].includes(extensionOf(file))

/** A file's true size: that of the LFS object where there is one. */
export const sizeOf = (file: TreeEntry): number => file.lfs?.size ?? file.size

const notText: ReadonlySet<FileKind> = new Set(['image', 'audio', 'video', 'pdf', 'binary'])

/** How texts of a kind can be shown, the usual way first. */
export const previews: Partial<Record<FileKind, string[]>> = {
  markdown: ['Preview', 'Code'],
  json: ['Code', 'Tree'],
  svg: ['Image', 'Code'],
  notebook: ['Notebook', 'Code'],
  text: ['Code'],
  table: ['Table', 'Code'],
}

/** Whether a file is a text by its name, which can be shown as such and edited. */
export function hasText(file: TreeEntry): boolean {
  const kind = kindOf(file)
  return kind === 'table' ? isTextTable(file) : !notText.has(kind)
}

/** The server traces the lines of no longer ones. */
const maxBlamedBytes = 1024 * 1024

/** Whether the lines of a file have commits of their own. */
export const hasBlame = (file: TreeEntry): boolean =>
  hasText(file) && !file.lfs && file.size > 0 && file.size <= maxBlamedBytes
