import type { RepoType } from '../../../../shared/vocabulary.ts'

// What libraries load first of a model; the public hub counts the first five when it knows no better
// (hub-docs: docs/hub/models-download-stats.md).
const configurations = new Set([
  'config.json',
  'config.yaml',
  'hyperparams.yaml',
  'params.json',
  'meta.yaml',
  'model_index.json',
  'adapter_config.json',
])
const weights =
  /\.(?:bin|ckpt|gguf|ggml|h5|joblib|keras|llamafile|mlmodel|msgpack|nemo|npz|onnx|pkl|pt|pth|safetensors|task|tflite)$/i
/** `model-00002-of-00007.safetensors`: a client that loads it has the first one, too. */
const laterShard = /-(?!0*1-of)\d+-of-\d+\./

/**
 * Whether reading the file means using the repo: configurations and weights of a model, and everything of a dataset but
 * what tells about it.
 */
export function isQueryFile(type: RepoType, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (type === 'dataset') return !name.startsWith('.') && path !== 'README.md'
  return configurations.has(name) || (weights.test(name) && !laterShard.test(name))
}
