import { builtBlob, type NewBlob, type TagContents } from '../../rooms/quants/index.ts'

/** The form of manifests that `ollama` asks for. */
export const manifestType = 'application/vnd.docker.distribution.manifest.v2+json'

/** `8.0B`, `137M`: as ollama writes numbers of parameters. */
function shortCount(count: number): string {
  const units: [number, string][] = [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'K'],
  ]
  const [size, unit] = units.find(([from]) => count >= from) ?? [1, '']
  const value = count / size
  return `${value < 100 && size > 1e6 ? value.toFixed(1) : Math.round(value)}${unit}`
}

const digestOf = ({ sha256 }: { sha256: string }) => `sha256:${sha256}`

/** The configuration of an image: what `ollama show` prints of it. The same bytes for the same contents. */
export function configBlob({ architecture, parameters, quant, layers }: TagContents): NewBlob {
  return builtBlob(
    JSON.stringify({
      model_format: 'gguf',
      model_family: architecture,
      model_families: [architecture],
      model_type: parameters > 0 ? shortCount(parameters) : '',
      file_type: quant,
      architecture: 'amd64',
      os: 'linux',
      rootfs: { type: 'layers', diff_ids: layers.map(({ blob }) => digestOf(blob)) },
    }),
  )
}

const fileFact = ({ path, lfs }: TagContents['model'], sha256: string, sizeBytes: number) => ({
  rfilename: path,
  blobId: `sha256:${sha256}`,
  size: sizeBytes,
  ...(lfs ? { lfs: { sha256: lfs.sha256, size: lfs.sizeBytes, pointerSize: lfs.pointerBytes } } : {}),
})

/** llama.cpp's `-hf` reads the names of files beside the layers (indexing.md §6). */
function llamaFields({ model, projector, layers }: TagContents): object {
  const blobOf = (kind: string) => layers.find((layer) => layer.kind === kind)?.blob
  const fact = (file: TagContents['model'] | undefined, kind: string) => {
    const blob = blobOf(kind)
    return file && blob ? fileFact(file, blob.sha256, blob.sizeBytes) : undefined
  }
  return { ggufFile: fact(model, 'model'), mmprojFile: fact(projector, 'projector') }
}

/** The manifest of a tag as its bytes, with or without what llama.cpp reads. */
export function manifestText(contents: TagContents, config: NewBlob, isLlama: boolean): string {
  return JSON.stringify({
    schemaVersion: 2,
    mediaType: manifestType,
    config: {
      mediaType: 'application/vnd.docker.container.image.v1+json',
      digest: digestOf(config),
      size: config.sizeBytes,
    },
    layers: contents.layers.map(({ kind, blob }) => ({
      mediaType: `application/vnd.ollama.image.${kind}`,
      digest: digestOf(blob),
      size: blob.sizeBytes,
    })),
    ...(isLlama ? llamaFields(contents) : {}),
  })
}
