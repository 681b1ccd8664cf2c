import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { system } from '../../core/access/index.ts'
import type { Ctx, Deps } from '../../core/ctx.ts'
import { addUser, findUser, hasNoAdmin } from '../namespaces/index.ts'
import { checkPasswordPolicy, hashPassword, verifyPassword } from './passwords.ts'
import { newPassword } from './secrets.ts'

/** What the person who started the server is told. */
export interface BootstrapAdmin {
  username: string
  /** Where the generated password lies, while the file is there. */
  passwordFile?: string
}

/**
 * Creates the first admin while there is none. The password is the configured one, or is generated and
 * written to `{data_dir}/bootstrap-admin-password` (0600) before the account exists, so that no crash loses it.
 * Servers that start at once agree on one password. Problems: `weak-password`, `invalid-name`.
 */
export async function bootstrapAdmin(deps: Deps): Promise<BootstrapAdmin> {
  const { username } = deps.config.security.bootstrap_admin
  const file = join(deps.config.server.data_dir, 'bootstrap-admin-password')
  if (await hasNoAdmin(deps.db)) await createFirst(deps, file)
  return (await read(file)) === undefined ? { username } : { username, passwordFile: file }
}

async function createFirst(deps: Deps, file: string): Promise<void> {
  const { username, email } = deps.config.security.bootstrap_admin
  const configured = await configuredPassword(deps)
  if (configured !== undefined)
    await checkPasswordPolicy('security.bootstrap_admin.password', configured, username)
  const password = configured ?? (await keepGenerated(file))
  const passwordHash = await hashPassword(password)
  const origin = { requestId: randomUUID(), ip: '', userAgent: '', baseUrl: deps.config.server.public_url }
  const ctx: Ctx = { ...deps, actor: system, origin, signal: deps.stopping }
  try {
    await deps.db.write(async (tx) => {
      if (!(await hasNoAdmin(tx))) return
      await addUser(tx, ctx, { username, passwordHash, isAdmin: true, ...(email && { email }) })
    })
  } catch (error) {
    // Another server may have been faster: it made the admin between our look and our row.
    if (await hasNoAdmin(deps.db)) throw error
  }
  if (configured === undefined) await forgetIfLost(deps, file, { password, passwordHash })
}

async function configuredPassword({ config }: Deps): Promise<string | undefined> {
  const { password, password_file } = config.security.bootstrap_admin
  if (password) return password
  return password_file ? (await readFile(password_file, 'utf8')).trimEnd() : undefined
}

/** The password in `file`, generated and stored durably unless an earlier or concurrent start has done so. */
async function keepGenerated(file: string): Promise<string> {
  const dataDir = dirname(file)
  const temporary = `${file}.${randomUUID()}`
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(`${newPassword()}\n`)
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
  const kept = await read(file)
  if (!kept) throw new Error(`${file} is empty; remove it`)
  return kept
}

/** Removes the file when another server's password, kept in another folder, became the account's. */
async function forgetIfLost(
  { db, config }: Deps,
  file: string,
  { password, passwordHash }: { password: string; passwordHash: string },
): Promise<void> {
  const admin = await findUser(db, config.security.bootstrap_admin.username)
  // Ours, made right now: nothing to compute.
  if (admin?.password_hash === passwordHash) return
  if (!(await verifyPassword(admin?.password_hash, password))) await unlink(file)
}

async function read(file: string): Promise<string | undefined> {
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
