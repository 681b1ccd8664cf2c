import { resolve } from 'node:path'
import type { Config } from '../../platform/config/index.ts'
import { openBlobStore, type BlobStore } from '../../stores/storage/index.ts'

/** The address of a place is not understood. */
export class NotAPlace extends Error {}

const settings = new Set(['endpoint', 'region', 'path_style'])

/**
 * Opens the folder or bucket that `address` names: a path, or `s3://bucket/prefix` with `?endpoint=`, `region=` and
 * `path_style=`. What is left out of a bucket's is as in `storage.s3`. `BACKUP_S3_ACCESS_KEY_ID` and
 * `BACKUP_S3_SECRET_ACCESS_KEY` of the environment replace the credentials there. Throws `NotAPlace`.
 */
export async function openPlace(
  address: string,
  config: Pick<Config, 'storage'>,
  env: Record<string, string | undefined>,
): Promise<BlobStore> {
  if (!/^[a-z0-9]+:\/\//i.test(address))
    return openBlobStore({ backend: 'fs', fs: { path: address }, s3: config.storage.s3 })
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 's3:' || url.hostname === '')
    throw new NotAPlace(`"${address}" is neither a folder nor an address such as s3://bucket/prefix.`)
  for (const name of url.searchParams.keys())
    if (!settings.has(name))
      throw new NotAPlace(`"${address}": there is no setting "${name}"; use ${[...settings].join(', ')}.`)
  const { s3 } = config.storage
  const own = env['BACKUP_S3_ACCESS_KEY_ID']
  const pathStyle = url.searchParams.get('path_style')
  return openBlobStore({
    backend: 's3',
    fs: config.storage.fs,
    s3: {
      ...s3,
      bucket: url.hostname,
      prefix: decodeURIComponent(url.pathname.slice(1)),
      endpoint: url.searchParams.get('endpoint') ?? s3.endpoint,
      region: url.searchParams.get('region') ?? s3.region,
      use_path_style: pathStyle === null ? s3.use_path_style : pathStyle === 'true',
      ...(own && { access_key_id: own, secret_access_key: env['BACKUP_S3_SECRET_ACCESS_KEY'] ?? '' }),
    },
  })
}

const trimmed = (prefix: string) => prefix.replaceAll(/^\/+|\/+$/g, '')

/** Whether the place lies in the server's own store, or the store in it: then it would be no copy apart. */
export function isWithin(address: string, { storage }: Pick<Config, 'storage'>): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (storage.backend === 'fs') return !url && overlaps(resolve(address), resolve(storage.fs.path))
  const isSameBucket = url?.hostname === storage.s3.bucket && !url.searchParams.has('endpoint')
  return isSameBucket && overlaps(trimmed(url.pathname), trimmed(storage.s3.prefix))
}

const overlaps = (one: string, other: string) =>
  one === '' || other === '' || `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`)
