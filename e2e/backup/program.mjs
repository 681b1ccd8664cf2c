// Runs `arsenal` as cron does: exit code, output, and a kill while it works.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { mainJs } from '../fixtures/server.mjs'

export const flagsOf = (settings) =>
  Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`])

/** Starts a command; `said` is what it has printed so far, and `done` resolves with { code, stdout, stderr }. */
export function start(args) {
  const child = spawn(process.execPath, [mainJs, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => (said[name] += chunk))
  const done = once(child, 'close').then(([code]) => ({ code, ...said }))
  return { child, said, done }
}

export const arsenal = (args) => start(args).done

/**
 * Runs a command and kills it as soon as `isMidway`, which hears what it has printed. Answers all that it printed; throws
 * when it ends before.
 */
export async function killedMidway(args, isMidway) {
  const { child, said, done } = start(args)
  while (!isMidway(said)) {
    if (child.exitCode !== null) throw new Error(`it ended too early: ${JSON.stringify(await done)}`)
    await pause(2)
  }
  child.kill('SIGKILL')
  const ended = await done
  if (ended.code !== null) throw new Error(`it ended with ${ended.code} before it could be killed`)
  return ended
}
