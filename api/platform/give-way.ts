import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Of nice(2): a tenth of the processor where the server, or anything else of the usual kind, wants it as well. */
const NICENESS = 10

/** Has a process wait for those that answer requests. A git that packs on every core would make all of them wait. */
export function giveWay(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, NICENESS)
  } catch {
    // It may have ended already, and where a system does not let us it runs as everything else.
    return
  }
}

/** Where memory runs out, this process is killed before others. Other systems than Linux have no such file. */
export function dieFirst(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500')
  } catch {
    return
  }
}
