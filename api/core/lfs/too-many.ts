const MAX_COUNT = 1000
const MAX_SHARE = 0.2

/** Whether deleting `doomed` of `total` is a mistake rather than a sweep (reliability.md §11.7). */
export function isTooMany(doomed: number, total: number): boolean {
  return doomed > MAX_COUNT && doomed > MAX_SHARE * total
}
