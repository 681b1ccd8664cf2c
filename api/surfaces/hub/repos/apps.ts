import type { RepoFilters } from '../../../rooms/repos/index.ts'

/** What models an app runs, by what clients call it (huggingface.js: packages/tasks/src/local-apps.ts). */
const kinds: [apps: string, facets: NonNullable<RepoFilters['facets']>][] = [
  [
    'llama.cpp node-llama-cpp ollama lmstudio localai jan atomic-chat backyard jellybox msty recursechat unsloth docker-model-runner lemonade pi hermes-agent openclaw',
    { format: ['gguf'] },
  ],
  ['mlx-lm', { format: ['mlx'] }],
  ['vllm sglang tgi', { library: ['transformers'], task: ['text-generation', 'image-text-to-text'] }],
  ['drawthings diffusionbee joyfusion', { library: ['diffusers'] }],
]
const facetsOf = new Map(
  kinds.flatMap(([apps, facets]) => apps.split(' ').map((app) => [app, facets] as const)),
)

/** What a model must have for all of the apps to run it; nothing where no model can. */
export function facetsOfApps(apps: readonly string[]): NonNullable<RepoFilters['facets']> | undefined {
  const merged: NonNullable<RepoFilters['facets']> = {}
  for (const app of apps) {
    const facets = facetsOf.get(app.toLowerCase())
    if (!facets) return undefined
    if (merged.format && facets.format && merged.format[0] !== facets.format[0]) return undefined
    if (merged.library && facets.library && merged.library[0] !== facets.library[0]) return undefined
    Object.assign(merged, facets)
  }
  return merged
}
