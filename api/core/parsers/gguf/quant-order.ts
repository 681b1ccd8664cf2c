/**
 * Quants from the largest to the smallest: `GGUF_QUANT_ORDER` of `@huggingface/tasks`, which is not loaded here for its
 * size. A test compares them.
 */
export const quantOrder =
  'F32 BF16 F16 Q8_K_XL Q8_0 Q6_K_XL Q6_K Q5_K_XL Q5_K_M Q5_K_S Q5_0 Q5_1 Q4_K_XL Q4_K_M Q4_K_S IQ4_NL IQ4_XS Q4_0_4_4 Q4_0_4_8 Q4_0_8_8 Q4_1_SOME_F16 Q4_0 Q4_1 Q4_2 Q4_3 MXFP4_MOE NVFP4 Q3_K_XL Q3_K_L Q3_K_M Q3_K_S IQ3_M IQ3_S IQ3_XS IQ3_XXS Q2_K_XL Q2_K Q2_K_S IQ2_M IQ2_S IQ2_XS IQ2_XXS Q2_0 IQ1_S IQ1_M TQ1_0 TQ2_0 Q1_0'.split(
    ' ',
  )

/** The place of a label in the order. One that it lacks stands with its family (`Q4_K_L` with `Q4_K`), others last. */
export function quantRank(label: string): number {
  let family = label.replace(/^UD-/, '')
  for (;;) {
    const found = quantOrder.findIndex((each) => each === family || each.startsWith(`${family}_`))
    if (found !== -1) return found
    const end = family.lastIndexOf('_')
    if (end === -1) return quantOrder.length
    family = family.slice(0, end)
  }
}
