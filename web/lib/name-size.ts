/**
 * The number of parameters that a model's name tells of, as people write it: `7B`, `0.5B`, `8x7B`, `350M`. It is what the
 * author says, not a count.
 */
export const sizeInName = (name: string): string | undefined =>
  /(?:^|[-_.])((?:\d+x)?\d+(?:\.\d+)?[bm])(?=$|[-_.])/i.exec(name)?.[1]?.toUpperCase().replace('X', 'x')
