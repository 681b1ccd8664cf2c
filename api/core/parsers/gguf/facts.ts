import type { FileProblem } from '../problem.ts'

/** A value of a key. Of an array, only its length, its type and the first strings or numbers are kept. */
export type GgufValue =
  | string
  | number
  | boolean
  | { type: string; length: number; first: (string | number | boolean)[] }

/** One tensor; `offset` counts bytes from the start of the data. */
export interface GgufTensor {
  name: string
  type: string
  shape: number[]
  offset: number
}

/** What the header of one GGUF file says. */
export interface GgufFacts {
  format: 'gguf'
  version: number
  isBigEndian: boolean
  /** In the order of the file. 64-bit values beyond 2^53 are decimal strings. */
  metadata: [key: string, value: GgufValue][]
  tensorCount: number
  /** The first 50 000. */
  tensors: GgufTensor[]
  isTruncated: boolean
  parameters: number
  parametersByType: Record<string, number>
  bytesByType: Record<string, number>
  /** Where the bytes of tensors begin. */
  dataOffset: number
  architecture?: string
  name?: string
  /** The name of `general.file_type`. */
  fileType?: string
  contextLength?: number
  chatTemplate?: string
  /** Named templates, `tokenizer.chat_template.<name>`. */
  chatTemplates: Record<string, string>
  bosToken?: string
  eosToken?: string
  imatrixFile?: string
  license?: string
  baseModels: string[]
  split?: { number: number; count: number; tensors?: number }
  /** A projector, an adapter or a vocabulary is no model of its own. */
  role: 'model' | 'projector' | 'adapter' | 'vocab'
  problems: FileProblem[]
}
