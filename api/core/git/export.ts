import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Git } from './git.ts'
import { layOut } from './runner/skeleton.ts'

/**
 * Copies a repo as it is now into a new bare repository at `dir`, which comes about whole or not at all. The folder must not
 * exist.
 */
export async function exportRepository(git: Git, repoId: string, dir: string): Promise<void> {
  const draft = `${dir}.part`
  // A process that was killed could not delete its own.
  await rm(draft, { recursive: true, force: true })
  await mkdir(dirname(dir), { recursive: true })
  await mkdir(draft)
  try {
    await layOut(git, await git.openFresh(repoId), draft, { mayLink: false })
    await rename(draft, dir)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}
