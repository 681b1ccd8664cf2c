import { copyFile, link } from 'node:fs/promises'

/** Makes a file appear at `target`: a hard link with `mayLink` and where one is possible, else a copy. */
export async function linkOrCopy(source: string, target: string, mayLink: boolean): Promise<void> {
  const linked = mayLink && (await tryLink(source, target))
  if (!linked) await copyFile(source, target)
}

/** False where the file system has no link between the two places. */
async function tryLink(source: string, target: string): Promise<boolean> {
  try {
    await link(source, target)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Two equal packs have one name in git's folder; which of them lies there does not matter.
    if (code === 'EEXIST') return true
    if (code === 'EXDEV' || code === 'EPERM' || code === 'EMLINK') return false
    throw error
  }
}
