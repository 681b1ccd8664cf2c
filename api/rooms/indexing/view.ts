import type { z } from '@hono/zod-openapi'
import { words } from '../../core/metadata/index.ts'
import type { Dependencies, Dependency } from './dependencies.ts'
import type { RevisionMetadata } from './metadata.ts'
import type * as schemas from './schemas.ts'

/** Drops what is not known. */
function known<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> }
}

/** Metadata of a revision as the API shows it. */
export function viewMetadata(of: RevisionMetadata): z.output<typeof schemas.RepoMetadata> {
  const { commit, status, card, metadata, findings } = of
  const { facets, needs } = metadata
  const matter = card?.frontMatter ?? {}
  const gguf = findings.gguf
  const results = matter['model-index']
  return {
    commit,
    status,
    languages: facets.language,
    datasets: words(matter['datasets']),
    base_models: needs.flatMap(({ kind, target }) => (kind === 'base_model' ? [target] : [])),
    architectures: findings.architectures,
    formats: facets.format,
    quants: facets.quant,
    modalities: facets.modality,
    tensors_files: findings.tensorFiles,
    eval_results: Array.isArray(results) ? (results as unknown[]) : [],
    ...known({
      card: card && { ...known({ front_matter: card.frontMatter }), problems: card.problems },
      task: metadata.task,
      library: metadata.library,
      licence: metadata.licence,
      model_type: findings.modelType,
      parameters: metadata.parameters,
      estimated_parameters: of.estimatedParameters,
      parameters_by_dtype: findings.parametersByDtype,
      context_length: metadata.contextLength,
      size_category: facets.size_category[0],
      rows: metadata.rows,
      chat_template: findings.chatTemplate,
      tokenizer: findings.tokenizerClass,
      gguf: gguf && {
        total: gguf.total,
        total_file_size: gguf.totalFileSize,
        ...known({
          architecture: gguf.architecture,
          context_length: gguf.context_length,
          quantize_imatrix_file: gguf.quantize_imatrix_file,
        }),
      },
    }),
  }
}

const viewOne = ({ kind, repo, revision, relation }: Dependency) => ({
  kind,
  repo,
  ...known({ revision, relation }),
})

/** Dependencies as the API shows them. */
export const viewDependencies = (of: Dependencies): z.output<typeof schemas.Dependencies> => ({
  needs: of.needs.map((need) => ({ ...viewOne(need), present: need.isPresent })),
  needed_by: of.neededBy.map(viewOne),
  children: of.children,
})
