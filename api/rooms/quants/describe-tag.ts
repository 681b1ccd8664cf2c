import { LRUCache } from 'lru-cache'
import { quantOf } from '../../core/parsers/index.ts'
import type { Ctx } from '../../core/ctx.ts'
import type { Db } from '../../stores/db/index.ts'
import type { Repo } from '../repos/index.ts'
import { keepBlobs } from './built-blobs.ts'
import { adapterOf, choose, NoSuchTag } from './choose.ts'
import { factsOfGguf, listGguf, withFacts, type StoredGguf } from './gguf-files.ts'
import { ggufLayer, textLayers, type Layer } from './layers.ts'

/** A tag of a repo: the files it stands for and what is known of them. */
export interface TagContents {
  model: StoredGguf
  projector?: StoredGguf
  layers: Layer[]
  /** `llama`, `qwen2`; empty where the header does not say. */
  architecture: string
  parameters: number
  quant: string
}

const kept = (_: Db) => new LRUCache<string, TagContents>({ max: 1000 })

/**
 * What a tag stands for at the head of the default branch. Its built layers are kept from now on. Throws `NoSuchTag`;
 * for a model in shards, too, unless `allowsShards`: then the layer is the first shard.
 */
export async function describeTag(
  ctx: Ctx,
  repo: Repo,
  tag: string,
  { allowsShards }: { allowsShards: boolean },
): Promise<TagContents> {
  const found = await listGguf(ctx, repo)
  const key = `${repo.id} ${found.revision.commit} ${allowsShards} ${tag}`
  const memory = ctx.db.keep(kept)
  const known = memory.get(key)
  if (known) return known
  const files = await withFacts(ctx, repo, found, 'unnamed')
  const { group, model, projector } = choose(files, tag)
  if (group.isSharded && !allowsShards)
    throw new NoSuchTag(
      `"${group.name}" is split into ${group.files.length} files, which ollama cannot load. ` +
        'Merge them with llama-gguf-split, or use llama.cpp.',
    )
  const { revision } = found
  const facts = await factsOfGguf(ctx, repo, revision, model.path)
  const adapter = adapterOf(files, model, facts?.architecture)
  const layers = [
    await ggufLayer(revision, model, 'model'),
    ...(projector ? [await ggufLayer(revision, projector, 'projector')] : []),
    ...(adapter ? [await ggufLayer(revision, adapter, 'adapter')] : []),
    ...(await textLayers(ctx, revision, facts)),
  ]
  const contents: TagContents = {
    model,
    ...(projector ? { projector } : {}),
    layers,
    architecture: facts?.architecture ?? '',
    parameters: facts?.parameters ?? 0,
    quant: quantOf(model.path, facts),
  }
  await keepBlobs(
    ctx,
    repo,
    layers.flatMap(({ kept: blob }) => blob ?? []),
  )
  memory.set(key, contents)
  return contents
}
