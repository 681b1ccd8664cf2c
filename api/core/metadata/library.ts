import type { RepoFile } from './findings.ts'

/** What a library's own file at the root tells (indexing.md §4); the first that fits. */
const markers: [pattern: RegExp, library: string][] = [
  [/^adapter_config\.json$/, 'peft'],
  [/^model_index\.json$/, 'diffusers'],
  [/^config_setfit\.json$/, 'setfit'],
  [/^modules\.json$/, 'sentence-transformers'],
  [/\.nemo$/, 'nemo'],
  [/\.mlmodel$|\.mlpackage(\/|$)/, 'coreml'],
  [/^open_clip_config\.json$/, 'open_clip'],
  [/^sklearn_model\.joblib$|\.skops$/, 'sklearn'],
  [/^hyperparams\.yaml$/, 'speechbrain'],
  [/^gliner_config\.json$/, 'gliner'],
  [/^mlc-chat-config\.json$/, 'mlc-llm'],
  [/\.keras$/, 'keras'],
  [/^saved_model\.pb$/, 'tf-keras'],
  [/\.tflite$/, 'litert'],
]

const weights = /\.(safetensors|bin|h5|msgpack|pt|pth)$/

/** The library that a model's files are made for; nothing where none is clear. */
export function libraryOf(
  files: readonly RepoFile[],
  { isMlx, hasArchitectures }: { isMlx: boolean; hasArchitectures: boolean },
): string | undefined {
  const marker = markers.find(([pattern]) => files.some(({ path }) => pattern.test(path)))
  if (marker) return marker[1]
  if (isMlx) return 'mlx'
  if (hasArchitectures && files.some(({ path }) => weights.test(path))) return 'transformers'
  const hasGguf = files.some(({ path }) => /\.gguf$/i.test(path))
  return hasGguf && !files.some(({ path }) => weights.test(path)) ? 'gguf' : undefined
}
