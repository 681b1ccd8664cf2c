import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { buildApp } from '../app.ts'
import { watchStream } from '../../rooms/admin/index.ts'
import { bootstrapAdmin } from '../../rooms/auth/index.ts'
import type { Config } from '../../platform/config/index.ts'
import { jobEnded, jobKinds, jobSchedules } from '../housekeeping.ts'
import type { Deps } from '../../core/ctx.ts'
import { joinServers, lockPlace, type Unlock } from '../../stores/db/index.ts'
import type { Readiness } from '../../surfaces/server/health.ts'
import { listen } from '../../surfaces/server/listen.ts'
import { proxyTest } from '../../surfaces/server/origin.ts'
import { JobRunner, wake } from '../../core/jobs/index.ts'
import type { Logger, Telemetry } from '../../platform/telemetry/index.ts'
import { queueStale } from '../../rooms/datasets/index.ts'
import { queueReindex } from '../../rooms/indexing/index.ts'
import { flushDownloads, prepareLists } from '../../rooms/repos/index.ts'
import { releaseAbandoned } from '../../rooms/mirrors/index.ts'
import { reopenAbandoned } from '../../rooms/uploads/index.ts'
import { addGauges } from './gauges.ts'
import { reachStore } from './reach.ts'
import { closeDeps, openDeps } from './stores.ts'

/** A started server. */
export interface Running {
  deps: Deps
  /**
   * Resolves when everything in flight has ended or `server.shutdown_timeout` has passed, after `server.shutdown_delay`.
   */
  stop(): Promise<void>
}

/** `announceStop` comes before `stop`: it sends clients elsewhere, and serves those who still come. */
interface Serving extends Running {
  announceStop(): Promise<void>
}

const drainPollMs = 50

/** Has each answer from now on end its connection, so that none is reused at the moment it is closed. */
function endConnections(server: Server): void {
  server.prependListener('request', (_request, response) => (response.shouldKeepAlive = false))
}

/** Takes no more connections, lets requests in flight end, and cuts what is left after `timeoutMs`. */
async function drain(server: Server, timeoutMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  const idle = setInterval(() => server.closeIdleConnections(), drainPollMs)
  const cut = setTimeout(() => server.closeAllConnections(), timeoutMs)
  await closed
  clearInterval(idle)
  clearTimeout(cut)
}

/** How long to wait for the blob store at start: a bucket may come up later than we do, a folder is there or not. */
function patienceFor({ storage }: Config): number {
  return storage.backend === 's3' ? storage.s3.startup_wait : 0
}

/** Whether this is the only process that may serve the database. */
const isAlone = ({ database }: Config) => database.driver === 'sqlite'

const placeOf = ({ server, database }: Config) => ({ dataDir: server.data_dir, dsn: database.dsn })

/** Makes this one of the servers of its database, whose workers hear of jobs that others queue. */
function joinWith({ config, db, secrets, log }: Deps): Promise<Unlock> {
  return joinServers(config.database.dsn, {
    keyTag: secrets.tagOf('instance', 'key'),
    onWork: () => wake(db),
    log,
  })
}

/** What a test may put between the server and its stores. */
export type Wrap = (deps: Deps) => Deps

/**
 * Opens the stores, serves, and works on jobs, as `server.role` says. `report` prints for the person who started it.
 * Rejects, with everything closed again, when the address or the data folder is taken, a store cannot be opened, or
 * `signal` aborts while the blob store is waited for.
 */
export async function startServer(
  config: Config,
  log: Logger,
  report: (line: string) => void,
  wrap: Wrap = (deps) => deps,
  signal: AbortSignal = new AbortController().signal,
  telemetry?: Telemetry,
): Promise<Running> {
  let unlock: Unlock | undefined = isAlone(config) ? await lockPlace(placeOf(config)) : undefined
  let deps: Deps | undefined
  const stopping = new AbortController()
  try {
    deps = wrap(await openDeps(config, log, stopping.signal, telemetry))
    addGauges(deps)
    unlock ??= await joinWith(deps)
    const running = await serveOver(deps, report, signal)
    const stop = async () => {
      await running.announceStop()
      stopping.abort()
      await running.stop().finally(unlock)
    }
    return { deps, stop }
  } catch (error) {
    if (deps) await closeDeps(deps)
    await unlock?.()
    throw error
  }
}

async function serveOver(deps: Deps, report: (line: string) => void, signal: AbortSignal): Promise<Serving> {
  const { config } = deps
  await deps.git.prepare()
  const admin = await bootstrapAdmin(deps)
  await reopenAbandoned(deps.db)
  await releaseAbandoned(deps.db)
  // After an upgrade: what files say may be read in another way.
  await queueReindex(deps)
  await queueStale(deps)
  const check = async () => {
    await Promise.all([deps.db.check(), deps.blobs.check()])
  }
  const readiness: Readiness = { state: 'starting', check }
  const work = { kinds: jobKinds, schedules: jobSchedules(config), ended: jobEnded }
  const runner = new JobRunner(deps, work)
  const server = await listen(buildApp(deps, readiness), config.server.listen, {
    publicUrl: config.server.public_url,
    isProxy: proxyTest(config),
  })
  let unwatch = async () => {}
  try {
    await reachStore(deps, patienceFor(config), signal)
    if (config.server.role !== 'web') {
      await runner.start()
      unwatch = watchStream(deps)
    }
    await check()
  } catch (error) {
    await Promise.all([drain(server, 0), runner.stop(0), unwatch()])
    throw error
  }
  void prepareLists(deps)
  readiness.state = 'ready'
  report(`Arsenal serves at ${config.server.public_url}`)
  report(`Admin: ${admin.username}${admin.passwordFile ? `, password in ${admin.passwordFile}` : ''}`)
  return {
    deps,
    async announceStop() {
      readiness.state = 'draining'
      endConnections(server)
      await pause(config.server.shutdown_delay)
    },
    async stop() {
      const timeoutMs = config.server.shutdown_timeout
      await Promise.all([drain(server, timeoutMs), runner.stop(timeoutMs), unwatch()])
      await flushDownloads(deps)
      await closeDeps(deps)
    },
  }
}
