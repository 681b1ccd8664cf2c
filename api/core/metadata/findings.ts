import type { Need } from '../parsers/index.ts'

/** A file of a revision. */
export interface RepoFile {
  path: string
  sizeBytes: number
}

/** What adapters, merges and quantised copies are to the models they come from. */
export const relations = ['adapter', 'finetune', 'merge', 'quantized'] as const
export type Relation = (typeof relations)[number]

/** Keys of `config` on the public hub's rows (indexing.md §5). */
export interface ConfigDigest {
  architectures?: string[]
  model_type?: string
  auto_map?: Record<string, string>
  quantization_config?: { quant_method?: string; bits?: number }
  tokenizer_config?: Record<string, string>
  peft?: { base_model_name_or_path?: string; task_type?: string }
  diffusers?: { _class_name: string }
}

/** Keys of `gguf` on the public hub's rows (indexing.md §2). */
export interface GgufDigest {
  total: number
  architecture?: string
  context_length?: number
  chat_template?: string
  bos_token?: string
  eos_token?: string
  quantize_imatrix_file?: string
  totalFileSize: number
}

/** What the files of one revision say, without its card. Kept with the head, so that a new card needs no file read again. */
export interface Findings {
  formats: string[]
  /** The library that the files are made for. */
  library?: string
  architectures: string[]
  modelType?: string
  /** Parts of the configuration that say what a `ForConditionalGeneration` takes. */
  hasVision: boolean
  hasSpeech: boolean
  contextLength?: number
  /** Of the safetensors, else of the GGUF files. */
  parameters?: number
  parametersByDtype?: Record<string, number>
  /** Of the safetensors alone, as clients read them. */
  safetensors?: { parameters: Record<string, number>; total: number }
  gguf?: GgufDigest
  /** Labels of GGUF groups, upper case. */
  quants: string[]
  hasProjector: boolean
  /** As GGUF files or a LICENSE file say it. */
  licence?: string
  baseModels: string[]
  relation?: Exclude<Relation, 'finetune'>
  /** `gptq`, `awq`, … or `mlx`. */
  quantization?: string
  quantizationBits?: number
  hasCustomCode: boolean
  chatTemplate?: string
  tokenizerClass?: string
  processor?: string
  config?: ConfigDigest
  /** Of datasets, by what their files are. */
  modalities: string[]
  /** Of datasets, by their Parquet export; kept beside it. */
  rows?: number
  columns?: { name: string; dtype: string; isList: boolean }[]
  needs: (Need & { path: string })[]
  /** Safetensors and GGUF files whose headers can be read. */
  tensorFiles: string[]
}

/** Findings of a repo whose files have not been read yet. */
export const noFindings: Findings = {
  formats: [],
  architectures: [],
  hasVision: false,
  hasSpeech: false,
  quants: [],
  hasProjector: false,
  baseModels: [],
  hasCustomCode: false,
  modalities: [],
  needs: [],
  tensorFiles: [],
}
