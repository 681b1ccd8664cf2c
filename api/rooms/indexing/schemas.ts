import { indexStatuses, repoTypes } from '../../../shared/vocabulary.ts'
import { z } from '../../core/http/contract.ts'
import { needKinds, relations } from '../../core/metadata/index.ts'

const names = z.array(z.string())

export const RepoMetadata = z
  .object({
    commit: z.string(),
    status: z.enum(indexStatuses),
    card: z
      .object({
        front_matter: z.record(z.string(), z.unknown()).optional(),
        problems: z.array(z.object({ code: z.string(), message: z.string() })),
      })
      .optional(),
    task: z.string().optional(),
    library: z.string().optional(),
    licence: z.string().optional(),
    languages: names,
    datasets: names,
    base_models: names,
    model_type: z.string().optional(),
    architectures: names,
    parameters: z.int().optional(),
    estimated_parameters: z
      .int()
      .optional()
      .openapi({ description: 'By the size in the name of the repo, where no file counts them.' }),
    parameters_by_dtype: z.record(z.string(), z.int()).optional(),
    context_length: z.int().optional().openapi({ description: 'Tokens.' }),
    formats: names,
    quants: names,
    modalities: names,
    size_category: z.string().optional(),
    rows: z.int().optional(),
    chat_template: z.string().optional(),
    tokenizer: z.string().optional().openapi({ description: 'Class of the tokenizer.' }),
    gguf: z
      .object({
        total: z.int().openapi({ description: 'Parameters.' }),
        architecture: z.string().optional(),
        context_length: z.int().optional(),
        quantize_imatrix_file: z.string().optional(),
        total_file_size: z.int(),
      })
      .optional(),
    tensors_files: names.openapi({ description: 'Safetensors and GGUF files.' }),
    eval_results: z.array(z.unknown()).openapi({ description: '`model-index` of the card.' }),
  })
  .openapi('RepoMetadata')

const Named = z.object({
  type: z.enum(repoTypes),
  ns: z.string().openapi({ description: 'Empty where a file gives a name alone.' }),
  name: z.string(),
})

const Dependency = {
  kind: z.enum(needKinds),
  repo: Named,
  revision: z.string().optional(),
  relation: z.enum(relations).optional().openapi({ description: 'Of a model to its base.' }),
}

export const Dependencies = z
  .object({
    needs: z.array(
      z.object({
        ...Dependency,
        present: z.boolean().openapi({ description: 'Here, and you may read it.' }),
      }),
    ),
    needed_by: z
      .array(z.object(Dependency))
      .openapi({ description: 'Up to 200 repos that you may read, the most liked first.' }),
    children: z
      .object({ adapter: z.int(), finetune: z.int(), merge: z.int(), quantized: z.int() })
      .openapi({ description: 'How many models that you may read are made from this one.' }),
  })
  .openapi('Dependencies')
