import type { FileProblem } from '../problem.ts'
import type { Quantization } from '../safetensors/parameters.ts'

/** A repo that a file needs. */
export interface Need {
  kind: 'base_model' | 'adapter_base' | 'code' | 'tokenizer' | 'backbone'
  /** `name` or `ns/name`. */
  repo: string
  revision?: string
}

/** What one JSON file of settings says; absent is what it does not say. */
export interface ConfigFacts {
  format: 'config'
  architectures?: string[]
  modelType?: string
  contextLength?: number
  /** Whether it has a part for images, or one for speech: what a `ForConditionalGeneration` takes. */
  hasVision?: boolean
  hasSpeech?: boolean
  /** `quantization_config` of a `config.json`, also where `text_config` has it. */
  quantization?: Quantization
  /** Weights of MLX say `quantization.group_size`. */
  isMlx?: boolean
  /** Names of classes by what loads them; one with `--` is code of another repo. */
  autoMap?: Record<string, string>
  /** Of a `model_index.json`. */
  diffusers?: { className: string; components: Record<string, string> }
  /** Of an `adapter_config.json`. */
  peft?: { type?: string; task?: string; base?: string; revision?: string }
  /** Of a `tokenizer_config.json`. */
  tokenizerClass?: string
  chatTemplate?: string
  chatTemplates?: Record<string, string>
  specialTokens?: Record<string, string>
  needs: Need[]
  problems: FileProblem[]
}
