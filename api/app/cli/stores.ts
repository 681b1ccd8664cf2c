import type { Config } from '../../platform/config/index.ts'
import { switchDirectIo } from '../../platform/direct-io/index.ts'
import type { Deps } from '../../core/ctx.ts'
import { observedDb, openDb } from '../../stores/db/index.ts'
import { Git } from '../../core/git/index.ts'
import { changeListeners, refListeners } from '../housekeeping.ts'
import { openSecrets } from '../../platform/secrets/index.ts'
import { observedStore, openBlobStore, sharesOrigin, type BlobStore } from '../../stores/storage/index.ts'
import { slowCalls, type Logger, type Telemetry } from '../../platform/telemetry/index.ts'
import { schema } from '../schema.ts'

async function openBlobs(config: Config, log: Logger): Promise<BlobStore> {
  const { backend, s3 } = config.storage
  const { public_url: publicUrl } = config.server
  const isShared = s3.download_mode === 'redirect' || s3.upload_mode === 'direct'
  if (backend === 's3' && isShared && sharesOrigin(s3, publicUrl))
    log.warn(
      'storage.s3.endpoint has the origin of server.public_url; bytes pass through the service, as with storage.s3.download_mode and upload_mode proxy',
    )
  const onSweepError = (err: unknown) => log.warn({ err }, 'leftovers in the blob store were not swept')
  return openBlobStore(config.storage, { publicUrl, onSweepError })
}

/** Opens what every command works on: the database (migrated), the blob store, the git engine, the instance key. */
export async function openDeps(
  config: Config,
  log: Logger,
  stopping: AbortSignal = new AbortController().signal,
  telemetry: Telemetry = slowCalls(log),
): Promise<Deps> {
  switchDirectIo(config.server.direct_io)
  const [db, blobs, secrets] = await Promise.all([
    openDb(config.database, schema),
    openBlobs(config, log),
    openSecrets({ dataDir: config.server.data_dir, instanceKey: config.security.instance_key }),
  ])
  const stores = {
    config,
    db: observedDb(db, telemetry),
    blobs: observedStore(blobs, telemetry),
    log,
    telemetry,
    now: () => new Date(),
    stopping,
  }
  return { ...stores, changeListeners, git: new Git({ ...stores, refListeners }), secrets }
}

/** Closes what `openDeps` opened, in reverse. */
export async function closeDeps({ git, blobs, db }: Deps): Promise<void> {
  await git.close()
  await blobs.close()
  await db.close()
}
