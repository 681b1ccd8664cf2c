import { groupedBy } from '../grouped.ts'
import { shardOf } from './shard-index.ts'

/** The safetensors of a repo that its parameters are counted of: an index, or files. */
export type CountedFiles = { index: string } | { files: string[] }

/** Copies of the same weights, which must not be added up. */
const variant = /(^|\/)(original\/|consolidated)|\.(fp16|bf16|fp32|non_ema|ema|int8|fp8)[.-]/

/**
 * Which safetensors of a repo count (indexing.md §1): `model.safetensors` or its index, those of diffusers, the only
 * set of shards or the only file at the root, an adapter. Nothing where several could be meant.
 */
export function countedSafetensors(paths: readonly string[]): CountedFiles | undefined {
  const all = new Set(paths)
  const bases = [
    'model',
    'transformer/diffusion_pytorch_model',
    'unet/diffusion_pytorch_model',
    'diffusion_pytorch_model',
  ]
  for (const base of bases) {
    const file = `${base}.safetensors`
    if (all.has(file)) return { files: [file] }
    if (all.has(`${file}.index.json`)) return { index: `${file}.index.json` }
  }
  const root = paths.filter(
    (path) => path.endsWith('.safetensors') && !path.includes('/') && !variant.test(path),
  )
  const sets = groupedBy(
    root.filter((path) => shardOf(path)),
    (path) => shardOf(path)?.base ?? '',
  )
  if (sets.size === 1) return { files: [...sets.values()].flat().sort() }
  const single = root.filter((path) => path !== 'adapter_model.safetensors')
  if (sets.size === 0 && single.length === 1) return { files: single }
  return all.has('adapter_model.safetensors') ? { files: ['adapter_model.safetensors'] } : undefined
}
