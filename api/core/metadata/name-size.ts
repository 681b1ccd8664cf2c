// A size between marks: `-7B`, `_350M`, `1.5b`, `8x7B`. Of `30B-A3B` the second is what is used of the first at a time.
const sizeInName = /(?:^|[-_.])(?:(\d{1,3})x)?(\d{1,4}(?:\.\d{1,3})?)([MBT])(?=$|[-_.])/i
const units: Record<string, number> = { M: 1e6, B: 1e9, T: 1e12 }

/** About how many parameters a model has by its name, where no file says: `Llama-3-8B` has eight billion. */
export function parametersInName(name: string): number | undefined {
  const [, experts = '1', size = '', unit = ''] = sizeInName.exec(name) ?? []
  const count = Math.round(Number(experts) * Number(size) * (units[unit.toUpperCase()] ?? 0))
  return count > 0 ? count : undefined
}
