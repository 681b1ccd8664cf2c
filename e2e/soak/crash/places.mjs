// Where a server that is killed keeps what it has: a folder, or Postgres and a bucket. Each place has { settings, engine,
// query, keys, remove }.
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { openDatabase } from '../../fixtures/database.mjs'
import { modes } from '../../topology/topology.mjs'
import { openPlace } from '../../topology/stores.mjs'

/** SQLite and blobs below `dir`. */
export function folderPlace(dir) {
  const [database, blobs] = [join(dir, 'service.db'), join(dir, 'blobs')]
  return {
    engine: 'sqlite',
    settings: { 'database.dsn': database, 'storage.fs.path': blobs },
    async query(statement) {
      const client = openDatabase(dir)
      try {
        return (await client.execute(statement)).rows
      } finally {
        client.close()
      }
    },
    keys: async () =>
      readdirSync(blobs, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(blobs, join(entry.parentPath, entry.name))),
    remove: async () => undefined,
  }
}

/** As `openStores` answers them; bytes go through the server, whose steps are to be met, unless they are to be sent to the bucket. */
export async function storesPlace(stores, { isDirect = false } = {}) {
  const place = await openPlace(stores)
  const upload = isDirect ? modes.redirect : modes.proxy
  const settings = {
    ...place.settings,
    ...modes.proxy,
    'storage.s3.upload_mode': upload['storage.s3.upload_mode'],
  }
  return { ...place, settings }
}
