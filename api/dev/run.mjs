// Child processes of the development commands. Only what Node brings: these run before anything is installed.
import { AsyncLocalStorage } from 'node:async_hooks'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The root of the repository, without a slash at its end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** What a person must fix before a command can continue; shown without a stack. */
export class SetupError extends Error {
  name = 'SetupError'
}

/** Where what `work` and its commands print is kept, of work that runs beside others. */
const kept = new AsyncLocalStorage()

/** Answers what `work` answers, and all that it printed meanwhile, which has not been shown yet. */
export async function keepingOutput(work) {
  const pieces = []
  const answer = await kept.run(pieces, work)
  return { answer, output: pieces.join('') }
}

/** Prints to the terminal, or among what is kept. */
export function say(text) {
  const pieces = kept.getStore()
  if (pieces) pieces.push(text)
  else process.stdout.write(text)
}

/**
 * Runs a command from the root and answers { status, output }; `quiet` keeps its output, or it goes to the terminal.
 * @param {string} command
 * @param {string[]} args
 * @param {{ quiet?: boolean, env?: Record<string, string>, cwd?: string, uid?: number, gid?: number, signal?: AbortSignal,
 *   timeout?: number, killSignal?: NodeJS.Signals }} [options]
 * @returns {Promise<{ status: number, output: string }>}
 */
export function run(command, args, { quiet = false, env = {}, cwd = root, ...rest } = {}) {
  return new Promise((resolve, reject) => {
    const isHeard = !quiet && !kept.getStore()
    /** @type {import('node:child_process').StdioOptions} */
    const stdio = !isHeard ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit']
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio, ...rest })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', reject)
    child.on('close', (code) => {
      if (!quiet && !isHeard) say(output)
      resolve({ status: code ?? 1, output })
    })
  })
}

/** As `run`, but a failure throws a SetupError that says what was tried. */
export async function must(command, args, options = {}) {
  const { status, output } = await run(command, args, options).catch((error) => ({
    status: 1,
    output: error.message,
  }))
  if (status !== 0)
    throw new SetupError(`${command} ${args.join(' ')} failed (${status})\n${output.slice(-4000)}`)
  return output
}

/** Whether a command exists on the PATH. */
export async function exists(command) {
  const { status } = await run('sh', ['-c', `command -v ${command}`], { quiet: true })
  return status === 0
}

/** Runs a script's body; a SetupError ends it with its text and status 1. */
export async function main(body) {
  try {
    await body()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
