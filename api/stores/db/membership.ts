import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from '../../platform/telemetry/index.ts'
import type { Unlock } from './lock.ts'

/** Servers of one database sign for each other, so they need one key. */
export class KeyDiffers extends Error {
  constructor() {
    super(
      'Another server on this database has another security.instance_key; give all processes the same, or stop that one.',
    )
    this.name = 'KeyDiffers'
  }
}

/** Where processes tell each other, when a transaction commits, that there is work (`NOTIFY`). */
export const workChannel = 'arsenal_work'

// Any constant works, so long as every Arsenal process uses it; the other half of the lock's name is the key's tag.
const lockClass = 0x41525346
const firstWaitMs = 100
const longestWaitMs = 10_000
// Nothing is ever sent over it, so a peer that is gone is noticed by this alone.
const keepAliveMs = 30_000

/** Processes that serve one database together. */
export interface Member {
  /** Says, by the same for all, which instance key is served with: hex digits. */
  keyTag: string
  /** Called whenever a process says that there is work, and when it may have been said unheard. */
  onWork(): void
  log: Logger
}

/**
 * Claims to serve the Postgres database at `url` with an instance key, for as long as the process lives or until the
 * answered function is called. The claim is a shared advisory lock, so that the same key may be claimed by many, and
 * nothing stays of a process that died. Throws {@link KeyDiffers} while another key is claimed. When the connection that
 * holds the claim is lost, it is made again as soon as Postgres is back.
 */
export async function joinServers(url: string, member: Member): Promise<Unlock> {
  // Loaded only where it is used, as by openDb: a server on SQLite starts without it.
  const { default: driver } = await import('pg')
  const membership = new Membership(url, member, driver.Client)
  await membership.begin()
  return () => membership.leave()
}

class Membership {
  readonly #url: string
  readonly #member: Member
  readonly #Client: typeof pg.Client
  /** 31 bits: the lock's halves are signed where they are taken and unsigned where they are listed. */
  readonly #tag: number
  readonly #leaving = new AbortController()
  #client: pg.Client | undefined
  #again: Promise<void> | undefined

  constructor(url: string, member: Member, Client: typeof pg.Client) {
    this.#url = url
    this.#member = member
    this.#Client = Client
    this.#tag = Number.parseInt(member.keyTag.slice(0, 8), 16) & 0x7fff_ffff
  }

  async begin(): Promise<void> {
    if (await this.#claim()) return
    await this.leave()
    throw new KeyDiffers()
  }

  async leave(): Promise<void> {
    this.#leaving.abort()
    await this.#again
    await this.#client?.end()
  }

  /** Takes the lock on a connection of its own; false while another key is claimed as well. */
  async #claim(): Promise<boolean> {
    const client = new this.#Client({
      connectionString: this.#url,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      application_name: 'arsenal',
    })
    // What breaks it fails the query under way; `end` follows.
    client.on('error', () => undefined)
    const ended = new Promise<void>((resolve) => client.once('end', resolve))
    try {
      await client.connect()
      await client.query('SELECT pg_advisory_lock_shared($1, $2)', [lockClass, this.#tag])
      const { rowCount } = await client.query(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = $1 AND objid <> $2
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        [lockClass, this.#tag],
      )
      client.on('notification', this.#member.onWork)
      await client.query(`LISTEN ${workChannel}`)
      this.#client = client
      void ended.then(() => (this.#again = this.#claimAgain()))
      return rowCount === 0
    } catch (error) {
      await client.end()
      throw error
    }
  }

  async #claimAgain(): Promise<void> {
    const { signal } = this.#leaving
    const { log, onWork } = this.#member
    for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      await pause(waitMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      try {
        // The others are refused from now on; the one that came meanwhile is for people to stop.
        if (!(await this.#claim())) log.error({ err: new KeyDiffers() }, 'servers of one database differ')
        return onWork()
      } catch (err) {
        log.warn({ err }, 'the database does not know of this server at present; trying again')
      }
    }
  }
}
