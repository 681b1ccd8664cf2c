/** `1 file`, `3 files`: a count as lines of logs write it. */
export const howMany = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** `999 bytes`, `1.5 MB`: as pages write sizes. */
export function howLarge(bytes: number): string {
  const at = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${at === 0 ? bytes : (bytes / 1000 ** at).toFixed(1)} ${units[at]}`
}
