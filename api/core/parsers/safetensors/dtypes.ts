/** Bits of one element of each dtype that the reference library knows (safetensors 0.8). */
export const dtypeBits: ReadonlyMap<string, number> = new Map(
  Object.entries({
    BOOL: 8,
    U8: 8,
    I8: 8,
    F8_E4M3: 8,
    F8_E5M2: 8,
    F8_E8M0: 8,
    F8_E4M3FNUZ: 8,
    F8_E5M2FNUZ: 8,
    I16: 16,
    U16: 16,
    F16: 16,
    BF16: 16,
    I32: 32,
    U32: 32,
    F32: 32,
    I64: 64,
    U64: 64,
    F64: 64,
    C64: 64,
    F6_E2M3: 6,
    F6_E3M2: 6,
    F4: 4,
  }),
)

/** Scales of blocks, which are no parameters. */
export const scaleDtypes: ReadonlySet<string> = new Set(['F8_E8M0', 'E8M0', 'UE8'])
