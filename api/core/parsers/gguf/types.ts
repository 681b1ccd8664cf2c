/** A type of tensors: how many elements make a block, and its bytes. */
export interface TensorType {
  name: string
  block: number
  bytes: number
}

const type = (name: string, block: number, bytes: number): TensorType => ({ name, block, bytes })

/** By ggml's numbers (ggml: include/ggml.h, src/ggml-common.h). */
export const tensorTypes: ReadonlyMap<number, TensorType> = new Map([
  [0, type('F32', 1, 4)],
  [1, type('F16', 1, 2)],
  [2, type('Q4_0', 32, 18)],
  [3, type('Q4_1', 32, 20)],
  [6, type('Q5_0', 32, 22)],
  [7, type('Q5_1', 32, 24)],
  [8, type('Q8_0', 32, 34)],
  // huggingface.js says 40; the struct of ggml has 36.
  [9, type('Q8_1', 32, 36)],
  [10, type('Q2_K', 256, 84)],
  [11, type('Q3_K', 256, 110)],
  [12, type('Q4_K', 256, 144)],
  [13, type('Q5_K', 256, 176)],
  [14, type('Q6_K', 256, 210)],
  [15, type('Q8_K', 256, 292)],
  [16, type('IQ2_XXS', 256, 66)],
  [17, type('IQ2_XS', 256, 74)],
  [18, type('IQ3_XXS', 256, 98)],
  [19, type('IQ1_S', 256, 50)],
  [20, type('IQ4_NL', 32, 18)],
  [21, type('IQ3_S', 256, 110)],
  [22, type('IQ2_S', 256, 82)],
  [23, type('IQ4_XS', 256, 136)],
  [24, type('I8', 1, 1)],
  [25, type('I16', 1, 2)],
  [26, type('I32', 1, 4)],
  [27, type('I64', 1, 8)],
  [28, type('F64', 1, 8)],
  [29, type('IQ1_M', 256, 56)],
  [30, type('BF16', 1, 2)],
  [34, type('TQ1_0', 256, 54)],
  [35, type('TQ2_0', 256, 66)],
  [39, type('MXFP4', 32, 17)],
  [40, type('NVFP4', 64, 36)],
  [41, type('Q1_0', 128, 18)],
  [42, type('Q2_0', 64, 18)],
])

/** Names of `general.file_type`, which is llama.cpp's enumeration. */
const fileTypes =
  'F32 F16 Q4_0 Q4_1 Q4_1_SOME_F16 Q4_2 Q4_3 Q8_0 Q5_0 Q5_1 Q2_K Q3_K_S Q3_K_M Q3_K_L Q4_K_S Q4_K_M Q5_K_S Q5_K_M Q6_K IQ2_XXS IQ2_XS Q2_K_S IQ3_XS IQ3_XXS IQ1_S IQ4_NL IQ3_S IQ3_M IQ2_S IQ2_M IQ4_XS IQ1_M BF16 Q4_0_4_4 Q4_0_4_8 Q4_0_8_8 TQ1_0 TQ2_0 MXFP4_MOE NVFP4 Q1_0 Q2_0'.split(
    ' ',
  )

/** The name of a `general.file_type`. */
export const fileTypeName = (value: number): string | undefined => fileTypes[value]

const fileTypeNames = new Set(fileTypes)

/** Whether a quant has a `general.file_type` of its own. */
export const isFileTypeName = (name: string): boolean => fileTypeNames.has(name)

const byName = new Map([...tensorTypes.values()].map((type) => [type.name, type]))

/** Bytes of a tensor of a type; nothing for an unknown type. */
export function tensorBytes(typeName: string, shape: readonly number[]): number | undefined {
  const type = byName.get(typeName)
  if (!type) return undefined
  const elements = shape.reduce((product, dimension) => product * BigInt(dimension), 1n)
  const bytes = (elements / BigInt(type.block)) * BigInt(type.bytes)
  return bytes <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(bytes) : undefined
}
