import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { TooManyBytes } from '../../../stores/storage/index.ts'
import { silentLogger } from '../../../platform/telemetry/index.ts'
import { GitFailed, requireGit, Runner } from './runner.ts'
import { git, sourceOf, withTempDir } from '../testing.ts'

const runner = new Runner(silentLogger(), 60_000)
afterAll(() => runner.close())

test('git runs with what it is given and nothing of the user who runs the server', async () => {
  await withTempDir(async (dir) => {
    await git(dir, ['init', '-q', '--bare', '.'])
    const oid = await runner.run({
      dir,
      args: ['hash-object', '--stdin', '-w'],
      stdin: sourceOf(Buffer.from('hello\n')),
    })
    expect(oid.toString()).toBe('ce013625030ba8dba906f756967f9e9ca394464a\n')
    expect((await runner.run({ dir, args: ['cat-file', 'blob', oid.toString().trim()] })).toString()).toBe(
      'hello\n',
    )
    const config = await runner.run({ dir, args: ['config', '--list', '--show-origin'] })
    expect(new Set(config.toString().match(/^(file|command line|global|system):/gm))).toEqual(
      new Set(['file:', 'command line:']),
    )
    expect(config.toString()).not.toContain('/etc/gitconfig')
  })
})

test('a failure carries the exit code and what git said', async () => {
  await withTempDir(async (dir) => {
    const failure = runner.run({ dir, args: ['cat-file', 'blob', '0'.repeat(40)] })
    await expect(failure).rejects.toThrow(GitFailed)
    await expect(failure).rejects.toMatchObject({
      code: 128,
      message: expect.stringContaining('not a git repository'),
    })
  })
})

test('a git that ends before reading its input does not take the runner down', async () => {
  await withTempDir(async (dir) => {
    const big = sourceOf(Buffer.alloc(5_000_000))
    await expect(runner.run({ dir, args: ['no-such-command'], stdin: big })).rejects.toThrow(GitFailed)
    expect((await runner.run({ dir, args: ['--version'] })).toString()).toContain('git version')
  })
})

test('a git that ends while more input is sent still says why', async () => {
  await withTempDir(async (dir) => {
    await git(dir, ['init', '-q', '--bare', '.'])
    let start = () => {}
    const started = new Promise<void>((resolve) => (start = resolve))
    const input = async function* () {
      yield Buffer.from('info HEAD\n')
      await started
      yield Buffer.from('no-such-command\n')
      await setImmediate()
      // git ends and its answer comes while this thread is busy: the input is sent before the answer is read.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
      for (let i = 0; i < 3; i++) {
        yield Buffer.from('info HEAD\n')
        await setImmediate()
      }
    }
    const readAll = async () => {
      const output = await runner.open({ dir, args: ['cat-file', '--batch-command'], stdin: input() })
      for await (const line of output) if (line.length > 0) start()
    }
    await expect(readAll()).rejects.toMatchObject({
      name: 'GitFailed',
      stderr: expect.stringContaining('unknown command'),
    })
  })
})

test('too much output and too long a run are cut off', async () => {
  await withTempDir(async (dir) => {
    await git(dir, ['init', '-q', '--bare', '.'])
    await expect(runner.run({ dir, args: ['--version'] }, 5)).rejects.toThrow(TooManyBytes)
    const endless: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<Uint8Array>>(() => {}) }),
    }
    await expect(
      runner.run({ dir, args: ['hash-object', '--stdin'], stdin: endless, timeoutMs: 50 }),
    ).rejects.toThrow(GitFailed)
  })
})

test('an abandoned request ends its git', async () => {
  await withTempDir(async (dir) => {
    await expect(runner.run({ dir, args: ['--version'], signal: AbortSignal.abort() })).rejects.toThrow(
      'aborted',
    )
  })
})

test('a git that works for a caller ends with them, for their reason', async () => {
  await withTempDir(async (dir) => {
    const caller = new AbortController()
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          caller.abort(new Error('the caller has gone'))
          return new Promise<IteratorResult<Uint8Array>>(() => {})
        },
      }),
    }
    const order = { dir, args: ['hash-object', '--stdin'], stdin: source, signal: caller.signal }
    await expect(runner.run(order)).rejects.toThrow('the caller has gone')
  })
})

test('a runner that died is started again', async () => {
  await withTempDir(async (dir) => {
    const own = new Runner(silentLogger(), 60_000)
    expect((await own.run({ dir, args: ['--version'] })).length).toBeGreaterThan(0)
    await own.close()
    expect((await own.run({ dir, args: ['--version'] })).length).toBeGreaterThan(0)
    await own.close()
  })
})

test('git is new enough here', async () => {
  await expect(requireGit()).resolves.toBeUndefined()
})

test('a runner whose server was killed while it started leaves nothing behind', async () => {
  await withTempDir(async (dir) => {
    const home = join(dir, 'runner')
    const entry = fileURLToPath(new URL('./runner.worker.ts', import.meta.url))
    const server = `
      const runner = require('node:child_process').fork(process.argv[1], [process.argv[2]], {
        execArgv: ['--import', 'tsx'],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      runner.once('spawn', () => process.kill(process.pid, 'SIGKILL'))`
    // What they write to ends when both have.
    const { stderr } = await runToEnd(process.execPath, ['-e', server, entry, home])
    expect(stderr).toBe('')
    expect(await readdir(dir)).toEqual([])
  })
})

async function runToEnd(program: string, args: string[]): Promise<{ stderr: string }> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  return { stderr: await text(child.stderr) }
}
