import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Deps } from '../../core/ctx.ts'
import { newPassword } from './secrets.ts'

/** Where the password lies that was made up for the first admin. */
export const generatedPasswordFile = ({ config }: Pick<Deps, 'config'>): string =>
  join(config.server.data_dir, 'bootstrap-admin-password')

/** The password in `file`, generated and stored durably unless an earlier or concurrent start has done so. */
export async function keepGenerated(file: string, username: string): Promise<string> {
  const dataDir = dirname(file)
  const temporary = `${file}.${randomUUID()}`
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(`${newPassword(username)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  // A hard link appears whole or, where the name is taken, not at all.
  await link(temporary, file).catch((error: unknown) => {
    if (!isErrno(error, 'EEXIST')) throw error
  })
  await unlink(temporary)
  const folder = await open(dataDir, 'r')
  await folder.sync().finally(() => folder.close())
  const kept = await readGenerated(file)
  if (!kept) throw new Error(`${file} is empty; remove it`)
  return kept
}

/** The password in `file`; `undefined` without such a file. */
export async function readGenerated(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trimEnd()
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Removes the file once the first admin has a password of their own. What fails is left to the next start. */
export async function removeGeneratedPassword(
  deps: Pick<Deps, 'config' | 'log'>,
  username: string,
): Promise<void> {
  if (username.toLowerCase() !== deps.config.security.bootstrap_admin.username.toLowerCase()) return
  try {
    await unlink(generatedPasswordFile(deps))
  } catch (err) {
    if (!isErrno(err, 'ENOENT'))
      deps.log.warn({ err }, 'the file with the generated password was not removed')
  }
}
