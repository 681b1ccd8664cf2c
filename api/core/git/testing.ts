import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { newId, type Db } from '../../stores/db/index.ts'
import { collect, type ByteSource } from '../../stores/storage/index.ts'
import type { Git } from './git.ts'
import { CommitBuilder } from './commit-builder.ts'
import { commit } from './commit.ts'
import { addGitRepo } from './repo-state.ts'

const run = promisify(execFile)

/** Runs real git as a test's oracle; `args` and output as on the command line. Throws with git's stderr. */
export async function git(dir: string, args: string[], input?: Buffer | string): Promise<Buffer> {
  if (input !== undefined) return gitWithInput(dir, args, input)
  const { stdout } = await run('git', args, {
    cwd: dir,
    env: gitEnvironment(),
    encoding: 'buffer',
    maxBuffer: 2 ** 30,
  })
  return stdout
}

/** As `git`, with the output as text and its last newline cut. */
export async function gitText(dir: string, args: string[], input?: Buffer | string): Promise<string> {
  return (await git(dir, args, input)).toString('utf8').replace(/\n$/, '')
}

async function gitWithInput(dir: string, args: string[], input: Buffer | string): Promise<Buffer> {
  const child = spawn('git', args, { cwd: dir, env: gitEnvironment() })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  // A git that refuses its input early closes the pipe; the exit code below tells.
  child.stdin.on('error', (error) => err.push(Buffer.from(error.message)))
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0) throw new Error(`git ${args.join(' ')}: ${Buffer.concat(err).toString('utf8')}`)
  return Buffer.concat(out)
}

function gitEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: tmpdir(),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
    LC_ALL: 'C',
    // git filter-branch waits ten seconds otherwise.
    FILTER_BRANCH_SQUELCH_WARNING: '1',
  }
}

/** A fresh folder, gone when `body` ends. */
export async function withTempDir<T>(body: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'arsenal-git-'))
  try {
    return await body(dir)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Bytes as a source of chunks. */
export async function* sourceOf(bytes: Uint8Array, chunkBytes = 64 * 1024): ByteSource {
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

/** All bytes of a source. */
export const bytesOf = (source: ByteSource): Promise<Buffer> => collect(source, 2 ** 30)

/** The part of a test's world these helpers need. */
interface GitWorld {
  deps: { db: Db; git: Git; now: () => Date }
}

/** A repo without content: its row in the database. */
export async function givenEmptyRepo({ deps: { db, now } }: GitWorld): Promise<string> {
  const id = newId()
  await db.write(async (tx) => {
    await tx.q.insert(tx.t.repos).values({
      id,
      type: 'model',
      namespace_id: newId(),
      name: 'given',
      name_key: 'given',
      visibility: 'public',
      default_branch: 'main',
      discussions_enabled: true,
      created_at: now(),
      updated_at: now(),
      likes: 0,
    })
    await addGitRepo(tx, id)
  })
  return id
}

/** Commits small files and deletes others; returns the sha. */
export async function givenCommit(
  { deps }: GitWorld,
  repoId: string,
  change: {
    ref?: string
    puts?: Record<string, string>
    deletes?: string[]
    at?: Date
    base?: string
    furtherParents?: string[]
    message?: string
    author?: { name: string; email: string }
  },
): Promise<string> {
  const builder = new CommitBuilder(deps.git, repoId)
  try {
    for (const [path, text] of Object.entries(change.puts ?? {}))
      await builder.putBytes(path, Buffer.from(text))
    for (const path of change.deletes ?? []) builder.delete(path)
    const by = change.author ?? { name: 'Ada', email: 'ada@example.org' }
    const author = { ...by, at: change.at ?? deps.now(), tzMinutes: 0 }
    const result = await commit(deps.git, builder, {
      ref: change.ref ?? 'refs/heads/main',
      author,
      message: change.message ?? 'given',
      via: 'api',
      ...(change.base && { base: change.base }),
      ...(change.furtherParents && { furtherParents: change.furtherParents }),
    })
    if ('faults' in result) throw new Error(JSON.stringify(result.faults))
    return result.sha
  } finally {
    await builder.dispose()
  }
}
