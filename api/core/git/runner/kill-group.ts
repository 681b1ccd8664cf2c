const GRACE_MS = 5000

/** Ends a detached child with all it started: TERM, and KILL after 5 s. */
export function killGroup(pid: number | undefined): void {
  signalGroup(pid, 'SIGTERM')
  setTimeout(() => signalGroup(pid, 'SIGKILL'), GRACE_MS).unref()
}

/** Sends a signal to a detached child with all it started; one that is gone hears nothing. */
export function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch (error) {
    // ESRCH: the group is gone, which is what was wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
