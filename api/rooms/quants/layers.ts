import { createHash } from 'node:crypto'
import type { Ctx } from '../../core/ctx.ts'
import type { Revision } from '../content/index.ts'
import type { GgufFacts } from '../../core/parsers/index.ts'
import { builtBlob, type NamedBlob, type NewBlob } from './built-blobs.ts'
import { NoSuchTag } from './choose.ts'
import type { StoredGguf } from './gguf-files.ts'
import { templateOf } from './template.ts'

/** Text files that become layers. Bytes. */
const MAX_TEXT_BYTES = 256 * 1024

/** What a layer is for, as `application/vnd.ollama.image.` says it. */
export type LayerKind = 'model' | 'projector' | 'adapter' | 'template' | 'system' | 'params' | 'license'

/** One layer; `kept` where its bytes are no large file. */
export interface Layer {
  kind: LayerKind
  blob: NamedBlob
  kept?: NewBlob
}

const builtLayer = (kind: LayerKind, text: string | Buffer): Layer => {
  const kept = builtBlob(text)
  return { kind, blob: kept, kept }
}

/** The layer of a GGUF file: of a large file its own hash; a small one, which git holds, is hashed here. */
export async function ggufLayer(
  { snapshot }: Revision,
  { oid, lfs, sizeBytes }: StoredGguf,
  kind: 'model' | 'projector' | 'adapter',
): Promise<Layer> {
  if (lfs) return { kind, blob: { sha256: lfs.sha256, sizeBytes: lfs.sizeBytes } }
  const hash = createHash('sha256')
  for await (const chunk of (await snapshot.openBlob(oid))?.source ?? []) hash.update(chunk)
  const kept = { sha256: hash.digest('hex'), sizeBytes, gitOid: oid }
  return { kind, blob: kept, kept }
}

async function rootText({ snapshot, commit }: Revision, names: string[]): Promise<Buffer | undefined> {
  for (const name of names) {
    const entry = await snapshot.entryAt(commit, name)
    const size = entry?.kind === 'file' ? await snapshot.blobSize(entry.oid) : undefined
    if (entry && size !== undefined && size > 0 && size <= MAX_TEXT_BYTES)
      return snapshot.readBlob(entry.oid, MAX_TEXT_BYTES)
  }
  return undefined
}

function checkParams(bytes: Buffer): Buffer {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return bytes
  } catch {
    // Said below, as for a value of another kind.
  }
  throw new NoSuchTag('The file "params" of this repo must hold a JSON object, such as {"stop": ["</s>"]}.')
}

/**
 * The layers of text: the files `template`, `system` and `params` in the root as they are, the licence, and a template of
 * a known prompt format where the repo brings none. Throws `NoSuchTag` for a `params` that is no JSON object.
 */
export async function textLayers(ctx: Ctx, revision: Revision, facts?: GgufFacts): Promise<Layer[]> {
  ctx.signal.throwIfAborted()
  const template = await rootText(revision, ['template'])
  const system = await rootText(revision, ['system'])
  const params = await rootText(revision, ['params'])
  const licence = await rootText(revision, ['LICENSE', 'LICENSE.txt', 'LICENSE.md'])
  const known = template || !facts?.chatTemplate ? undefined : templateOf(facts.chatTemplate)
  const ownParams = known && JSON.stringify({ stop: known.stop })
  const layers: [LayerKind, string | Buffer | undefined][] = [
    ['template', template ?? known?.template],
    ['system', system],
    ['params', params ? checkParams(params) : ownParams],
    ['license', licence],
  ]
  return layers.flatMap(([kind, text]) => (text === undefined ? [] : [builtLayer(kind, text)]))
}
