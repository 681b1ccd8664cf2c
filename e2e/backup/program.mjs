// Runs `arsenal` as cron does: exit code, output, and a kill while it works.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { mainJs } from '../fixtures/server.mjs'

export const flagsOf = (settings) =>
  Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`])

/** Starts a command; `done` resolves with { code, stdout, stderr }. */
export function start(args) {
  const child = spawn(process.execPath, [mainJs, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) child[name].on('data', (chunk) => (said[name] += chunk))
  const done = once(child, 'close').then(([code]) => ({ code, ...said }))
  return { child, done }
}

export const arsenal = (args) => start(args).done

/** Runs a command and kills it as soon as `isMidway`. Throws when it ends before. */
export async function killedMidway(args, isMidway) {
  const { child, done } = start(args)
  while (!isMidway()) {
    if (child.exitCode !== null) throw new Error(`it ended too early: ${JSON.stringify(await done)}`)
    await pause(2)
  }
  child.kill('SIGKILL')
  const { code } = await done
  if (code !== null) throw new Error(`it ended with ${code} before it could be killed`)
}
