import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Git } from './git.ts'
import { layOut } from './runner/skeleton.ts'

/** Copies a repo as it is now into a new bare repository at `dir`. The folder must not exist. */
export async function exportRepository(git: Git, repoId: string, dir: string): Promise<void> {
  await mkdir(dirname(dir), { recursive: true })
  await mkdir(dir)
  await layOut(git, await git.openFresh(repoId), dir, { mayLink: false })
}
