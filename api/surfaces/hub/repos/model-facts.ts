import { autoClassOf, type Findings } from '../../../core/metadata/index.ts'

/** `transformersInfo` of a model: clients splat it into a class that knows no other keys (hub-wire.md §5.1). */
export function transformersInfo(
  { architectures, config, processor }: Findings,
  { library, task }: { library: string | null; task: string | null },
): Record<string, string> | undefined {
  if (library !== 'transformers' || architectures.length === 0) return undefined
  const [custom] = Object.entries(config?.auto_map ?? {}).filter(([key]) => key.startsWith('AutoModel'))
  return {
    auto_model: custom?.[0] ?? autoClassOf(architectures[0]) ?? 'AutoModel',
    ...(custom && { custom_class: custom[1] }),
    ...(task !== null && { pipeline_tag: task }),
    ...(processor !== undefined && { processor }),
  }
}

/** `baseModels` of a model: the ids of the models it comes from, as its tags have them. */
export function baseModels(tags: readonly string[]): string[] | undefined {
  const bases = tags.flatMap((tag) => /^base_model:([^:]+)$/.exec(tag)?.[1] ?? [])
  return bases.length > 0 ? bases : undefined
}
