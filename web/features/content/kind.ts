import type { TreeEntry } from '../../lib/types.ts'
import { maxTextBytes } from './queries.ts'

export type FileKind = 'image' | 'markdown' | 'json' | 'text' | 'binary'

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
}

const binary = new Set(
  'safetensors bin gguf pt pth ckpt onnx h5 msgpack parquet arrow npy npz zip gz tar zst 7z pdf pkl pickle joblib model tflite flac mp3 ogg wav mp4 webm'.split(
    ' ',
  ),
)

/** How a file is shown, by its name; what turns out to hold no text is shown as facts. */
export function kindOf(file: TreeEntry): FileKind {
  const extension = file.name.slice(file.name.lastIndexOf('.') + 1).toLowerCase()
  const known = byExtension[extension]
  if (known) return known === 'json' && sizeOf(file) > maxTextBytes ? 'text' : known
  return binary.has(extension) ? 'binary' : 'text'
}

/** A file's true size: that of the LFS object where there is one. */
export const sizeOf = (file: TreeEntry): number => file.lfs?.size ?? file.size
