import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireGit } from '../../../core/git/index.ts'
import { howLarge } from '../../../core/jobs/index.ts'
import type { Config } from '../../../platform/config/index.ts'
import { freeSpaceOf, reserveBytes } from '../../../stores/storage/index.ts'
import type { Finding, HealthCheck } from '../check.ts'

const LOW_SHARE = 0.1

function foldersOf({ storage, server, git }: Config): [string, string][] {
  return [
    ...(storage.backend === 'fs' ? [['storage.fs.path', storage.fs.path] as [string, string]] : []),
    ['server.data_dir', server.data_dir],
    ['git.cache_dir', git.cache_dir],
    ['temporary files', tmpdir()],
  ]
}

async function spaceIn(name: string, folder: string): Promise<Finding> {
  const { freeBytes, totalBytes } = await freeSpaceOf(folder)
  const share = Math.round((freeBytes / totalBytes) * 100)
  const text = `${name} (${folder}): ${howLarge(freeBytes)} free, ${share} %`
  const fix = 'Extend the disk, or delete repos and wait for gc.'
  if (freeBytes < reserveBytes(totalBytes))
    return { status: 'fail', text: `${text}; writes are refused with 507`, fix }
  return freeBytes < totalBytes * LOW_SHARE ? { status: 'warn', text, fix } : { status: 'ok', text }
}

export const disk: HealthCheck = {
  name: 'disk',
  run: ({ config }) => Promise.all(foldersOf(config).map(([name, folder]) => spaceIn(name, folder))),
}

export const git: HealthCheck = {
  name: 'git',
  async run() {
    await requireGit()
    return { status: 'ok', text: 'git is installed and new enough' }
  },
}

async function modeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mode & 0o777
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

export const secretFiles: HealthCheck = {
  name: 'secrets',
  async run({ config: { server } }) {
    const findings: Finding[] = []
    const file = join(server.data_dir, 'secrets.yaml')
    const mode = await modeOf(file)
    if (mode !== undefined && (mode & 0o077) !== 0)
      findings.push({
        status: 'fail',
        text: `${file} can be read by other users (mode ${mode.toString(8)})`,
        fix: `chmod 600 ${file}`,
      })
    const password = join(server.data_dir, 'bootstrap-admin-password')
    if ((await modeOf(password)) !== undefined)
      findings.push({
        status: 'warn',
        text: `the first admin still has the password in ${password}`,
        fix: 'Sign in and choose another password; the file is then removed.',
      })
    return findings.length > 0 ? findings : { status: 'ok', text: 'files with secrets are private' }
  },
}
