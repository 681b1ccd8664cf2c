const GRACE_MS = 5000

/** Ends a detached child with all it started: TERM, and KILL after 5 s. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  signal(pid, 'SIGTERM')
  setTimeout(() => signal(pid, 'SIGKILL'), GRACE_MS).unref()
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name)
  } catch (error) {
    // ESRCH: the group is gone, which is what was wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
