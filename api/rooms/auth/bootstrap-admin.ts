import { randomUUID } from 'node:crypto'
import { readFile, unlink } from 'node:fs/promises'
import { system } from '../../core/access/index.ts'
import type { Ctx, Deps } from '../../core/ctx.ts'
import { addUser, findUser, hasNoAdmin, markPasswordGenerated } from '../namespaces/index.ts'
import { generatedPasswordFile, keepGenerated, readGenerated } from './generated-password.ts'
import { checkPasswordPolicy, hashPassword, verifyPassword } from './passwords.ts'

/** What the start line shows. */
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
  const file = generatedPasswordFile(deps)
  if (await hasNoAdmin(deps.db)) await createFirst(deps, file)
  return (await settled(deps, file)) === undefined ? { username } : { username, passwordFile: file }
}

async function createFirst(deps: Deps, file: string): Promise<void> {
  const { username, email } = deps.config.security.bootstrap_admin
  const configured = await configuredPassword(deps)
  if (configured !== undefined)
    await checkPasswordPolicy(deps.db, {
      field: 'security.bootstrap_admin.password',
      password: configured,
      username,
    })
  const password = configured ?? (await keepGenerated(file, username))
  const passwordHash = await hashPassword(password)
  const origin = { requestId: randomUUID(), ip: '', userAgent: '', baseUrl: deps.config.server.public_url }
  const ctx: Ctx = { ...deps, actor: system, origin, signal: deps.stopping }
  try {
    await deps.db.write(async (tx) => {
      if (!(await hasNoAdmin(tx))) return
      const { id } = await addUser(tx, ctx, {
        username,
        passwordHash,
        isAdmin: true,
        ...(email && { email }),
      })
      if (configured === undefined) await markPasswordGenerated(tx, id)
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

/**
 * The generated password that the file holds while it still is the admin's. A file that another process, with a folder of
 * its own, could not remove when the password was replaced is removed now. Older servers did not note that a password was
 * generated: then the two are compared.
 */
async function settled(deps: Deps, file: string): Promise<string | undefined> {
  const password = await readGenerated(file)
  if (password === undefined) return undefined
  const admin = await findUser(deps.db, deps.config.security.bootstrap_admin.username)
  if (admin?.password_generated) return password
  if (admin && (await verifyPassword(admin.password_hash, password))) {
    await deps.db.write((tx) => markPasswordGenerated(tx, admin.id))
    return password
  }
  await unlink(file)
  return undefined
}
