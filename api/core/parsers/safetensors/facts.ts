import type { FileProblem } from '../problem.ts'
import type { MlxPart } from './mlx.ts'

/** One tensor; `begin` and `end` count bytes from the end of the header. */
export interface SafetensorsTensor {
  name: string
  dtype: string
  shape: number[]
  begin: number
  end: number
}

/** What the header of one safetensors file says. */
export interface SafetensorsFacts {
  format: 'safetensors'
  /** Length of the JSON, without the eight bytes before it. */
  headerBytes: number
  metadata: Record<string, string>
  tensorCount: number
  /** The first 50 000 in the order of the header. */
  tensors: SafetensorsTensor[]
  /** There are more tensors than `tensors`, or more metadata than `metadata`. */
  isTruncated: boolean
  /** Parameters by dtype, after the rules of `quantization_config`. */
  parametersByDtype: Record<string, number>
  parameters: number
  /** Modules of MLX that other shards may complete; they count here as they are stored. */
  mlxParts?: MlxPart[]
  problems: FileProblem[]
  /** Whether the reference library (safetensors 0.8) would load the file. */
  isLoadable: boolean
}

/** What an index of shards says. */
export interface SafetensorsIndexFacts {
  format: 'safetensors-index'
  /** Distinct files, in order of their names. */
  files: string[]
  tensorCount: number
  totalSizeBytes?: number
  totalParameters?: number
  problems: FileProblem[]
}
