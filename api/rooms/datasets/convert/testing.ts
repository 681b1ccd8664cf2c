import { readdir, readFile } from 'node:fs/promises'

/** Ids of the processes that this one has convert something. */
export async function children(): Promise<number[]> {
  const found: number[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const said = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    const [, parent] = said.slice(said.lastIndexOf(')') + 2).split(' ')
    if (Number(parent) !== process.pid) continue
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('convert.worker')) found.push(Number(pid))
  }
  return found
}

/** Sends a signal to these processes. */
export async function signalChildren(signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
  for (const pid of await children()) send(pid, signal)
}

/** To a process that may have ended by itself. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
