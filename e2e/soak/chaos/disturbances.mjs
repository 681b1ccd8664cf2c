// What happens to a deployment while its operator is away: each takes { topology, postgres, way, clock, disk, over }.
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const hour = 3600
const rest = (ms, over) => pause(ms, undefined, { signal: over }).catch(() => undefined)

/** Each with the alert that has to fire. */
export const disturbances = {
  /** Away for 8 s of each 30. */
  'Postgres is restarted again and again': {
    alert: 'ArsenalDatabaseFails',
    async disturb({ postgres, over }) {
      while (!over.aborted) {
        await postgres.restart(8000)
        await rest(22_000, over)
      }
    },
  },
  'the store answers 503, late, or not at all': {
    alert: 'ArsenalStoreFails',
    async disturb({ way, over }) {
      const names = ['503', 'latency', 'reset', 'lost answer']
      let n = 0
      way.choose = () => (++n % 2 === 0 ? names[(n / 2) % names.length] : undefined)
      while (!over.aborted) await rest(1000, over)
      way.choose = () => undefined
    },
  },
  'the clocks of a web process and of a worker jump by an hour': {
    alert: 'ArsenalClockOff',
    async disturb({ clock, over }) {
      for (let ahead = 1; !over.aborted; ahead = -ahead) {
        clock.set(ahead * hour)
        await rest(20_000, over)
        clock.set(0)
        await rest(10_000, over)
      }
      clock.set(0)
    },
  },
  'a worker stands still for 90 s and goes on': {
    alert: 'ArsenalWorkersFallSilent',
    async disturb({ topology, over, share }) {
      const [worker] = topology.only('worker')
      while (!over.aborted) {
        worker.signal('SIGSTOP')
        await rest(90_000 * Math.max(share, 0.1), over)
        worker.signal('SIGCONT')
        await rest(20_000 * Math.max(share, 0.1), over)
      }
      worker.signal('SIGCONT')
    },
  },
  'the disk is full and freed': {
    alert: 'ArsenalDiskFull',
    async disturb({ disk, over, share }) {
      const ballast = join(disk, 'ballast')
      while (!over.aborted) {
        const { bavail, bsize } = statfsSync(disk)
        writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - 2 ** 20)))
        // The alert fires after 5 minutes.
        await rest(8 * 60_000 * share, over)
        rmSync(ballast, { force: true })
        await rest(2 * 60_000 * share, over)
      }
      rmSync(ballast, { force: true })
    },
  },
}
