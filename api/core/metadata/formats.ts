import type { RepoType } from '../../../shared/vocabulary.ts'
import type { RepoFile } from './findings.ts'

/** How weights are stored, by file names (indexing.md §4), in the order of the public hub's tags. */
const modelFormats: [format: string, pattern: RegExp][] = [
  ['pytorch', /(^|\/)(pytorch_model.*\.bin|adapter_model\.bin)$|\.(pt|pth|ckpt)$/],
  ['tensorflow', /(^|\/)(tf_model.*\.h5|saved_model\.pb)$/],
  ['jax', /(^|\/)flax_model.*\.msgpack$/],
  ['onnx', /\.onnx$/],
  ['safetensors', /\.safetensors$/],
  ['gguf', /\.gguf$/],
  ['keras', /\.keras$|\.weights\.h5$/],
  ['tflite', /\.(tflite|litertlm)$/],
  ['coreml', /\.mlmodel$|\.mlpackage(\/|$)/],
  ['openvino', /(^|\/)openvino_model.*\.xml$/],
  ['paddle', /\.pdparams$/],
  ['joblib', /\.(joblib|skops)$/],
  ['dduf', /\.dduf$/],
  ['nemo', /\.nemo$/],
  ['executorch', /\.pte$/],
  ['tensorrt', /\.engine$/],
]

const compressed = '(\\.(gz|bz2|xz|zst))?$'
const datasetFormats: [format: string, pattern: RegExp][] = [
  ['parquet', /\.parquet$/],
  ['csv', new RegExp(`\\.(csv|tsv)${compressed}`)],
  ['json', new RegExp(`\\.(json|jsonl|ndjson)${compressed}`)],
  ['arrow', /\.arrow$/],
  ['text', new RegExp(`\\.txt${compressed}`)],
  ['lance', /\.lance(\/|$)/],
  ['webdataset', /\.tar(\.gz)?$|\.tgz$/],
]

/** Files of a dataset that describe it and are no data. */
const besideData =
  /(^|\/)(\.[^/]*|readme[^/]*|licen[sc]e[^/]*|dataset_infos?\.json|state\.json|requirements\.txt)$|\.(md|py|ipynb|ya?ml)$/i

/** The files of a dataset that hold data. */
const dataFiles = (files: readonly RepoFile[]): RepoFile[] =>
  files.filter(({ path }) => !besideData.test(path) && !path.startsWith('.'))

const media: [format: string, modality: string, pattern: RegExp][] = [
  ['imagefolder', 'image', /\.(jpe?g|png|gif|bmp|tiff?|webp|heic)$/],
  ['audiofolder', 'audio', /\.(wav|mp3|flac|ogg|opus|m4a|aac)$/],
  ['videofolder', 'video', /\.(mp4|mkv|mov|avi|webm)$/],
  ['', 'document', /\.pdf$/],
  ['', '3d', /\.(glb|gltf|obj|ply|stl|usdz)$/],
  ['', 'geospatial', /\.(geojson|gpkg|shp|tiff?|las|laz)$/],
]

/** Media make up at least this part of the data files, or are beside tables at least as many as `manyImages`. */
const leastPart = 0.1
const manyImages = 10

/** Formats of a repo's files. */
export function formatsOf(type: RepoType, files: readonly RepoFile[]): string[] {
  const known = type === 'model' ? modelFormats : datasetFormats
  const counted = type === 'model' ? files : dataFiles(files)
  const paths = counted.map(({ path }) => path.toLowerCase())
  const found = known.filter(([, pattern]) => paths.some((path) => pattern.test(path)))
  const folders = type === 'dataset' && found.length === 0 ? mediaOf(files).map(([format]) => format) : []
  return [...found.map(([format]) => format), ...folders.filter((format) => format.endsWith('folder'))]
}

function mediaOf(files: readonly RepoFile[]): (typeof media)[number][] {
  const paths = dataFiles(files).map(({ path }) => path.toLowerCase())
  const hasTables = paths.some((path) => datasetFormats.some(([, pattern]) => pattern.test(path)))
  return media.filter(([, modality, pattern]) => {
    const count = paths.filter((path) => pattern.test(path)).length
    if (count === 0 || modality === 'geospatial')
      return count > 0 && paths.some((p) => /\.(geojson|gpkg|shp|la[sz])$/.test(p))
    return hasTables
      ? count >= manyImages && count >= paths.length * leastPart
      : count >= paths.length * leastPart
  })
}

/** Modalities of a dataset, by what its files are. */
export function fileModalities(files: readonly RepoFile[]): string[] {
  const paths = dataFiles(files).map(({ path }) => path.toLowerCase())
  const isText = paths.some((path) => /\.txt(\.(gz|bz2|xz|zst))?$/.test(path))
  return [...new Set([...mediaOf(files).map(([, modality]) => modality), ...(isText ? ['text'] : [])])]
}

/** Libraries that load a dataset's formats, as the public hub tags them. */
export function datasetLibraries(formats: readonly string[]): string[] {
  if (formats.length === 0) return []
  const isTable = formats.some((format) => ['parquet', 'csv', 'json'].includes(format))
  return [
    'datasets',
    ...(isTable ? ['pandas', 'polars'] : []),
    ...(formats.includes('webdataset') ? ['webdataset'] : []),
    ...(formats.includes('lance') ? ['lance'] : []),
    'mlcroissant',
  ]
}
