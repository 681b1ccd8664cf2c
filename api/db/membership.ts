import pg from 'pg'
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

/**
 * Claims to serve the Postgres database at `url` with the instance key of this tag (hex digits), for as long as the
 * process lives or until the answered function is called. The claim is a shared advisory lock, so that the same tag may
 * be claimed by many, and nothing stays of a process that died. Throws {@link KeyDiffers} while another tag is claimed.
 * From then on `onWork` is called whenever a process says that there is work; while Postgres is away it says nothing.
 */
export async function joinServers(url: string, keyTag: string, onWork: () => void): Promise<Unlock> {
  // 31 bits: the lock's halves are signed where they are taken and unsigned where they are listed.
  const tag = Number.parseInt(keyTag.slice(0, 8), 16) & 0x7fff_ffff
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'arsenal',
  })
  // A lost claim is not made again: the check is for those who start, and the rest have passed it.
  client.on('error', () => undefined)
  await client.connect()
  const leave = () => client.end()
  try {
    await client.query('SELECT pg_advisory_lock_shared($1, $2)', [lockClass, tag])
    const { rowCount } = await client.query(
      `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND classid = $1 AND objid <> $2
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [lockClass, tag],
    )
    if (rowCount !== 0) throw new KeyDiffers()
    client.on('notification', onWork)
    await client.query(`LISTEN ${workChannel}`)
    return leave
  } catch (error) {
    await leave()
    throw error
  }
}
