import { createHash } from 'node:crypto'

/*
 * A place of backups is a blob store of its own, a folder or a bucket:
 *
 *   blobs/{key}                             bytes, under their key in the server's store; shared by all backups of the place
 *   backups/{id}/database/{table}.ndjson.gz rows, one JSON array a line
 *   backups/{id}/wanted/{0-f}.ndjson.gz     keys that those rows name, by the first digit of their SHA-256
 *   backups/{id}/snapshot.json              written when the rows and the wanted keys are all there
 *   backups/{id}/copied/{0-f}.ndjson.gz     the same keys with size and SHA-256, written when their bytes are there
 *   backups/{id}/backup.json                written last: the backup is complete
 *
 * Ids begin with the time, so that they sort by it.
 */
export const layout = {
  blob: (key: string) => `blobs/${key}`,
  backups: 'backups/',
  backup: (id: string) => `backups/${id}/`,
  table: (id: string, table: string) => `backups/${id}/database/${table}.ndjson.gz`,
  wanted: (id: string, share: string) => `backups/${id}/wanted/${share}.ndjson.gz`,
  snapshot: (id: string) => `backups/${id}/snapshot.json`,
  copied: (id: string, share: string) => `backups/${id}/copied/${share}.ndjson.gz`,
  complete: (id: string) => `backups/${id}/backup.json`,
}

/** The keys of a backup are worked on in so many shares, so that one share fits into memory: a million keys take 20 MB each. */
export const shares = [...'0123456789abcdef']

/** Version of the layout. */
export const FORMAT = 1

/** In which of the lists a key stands. */
export const shareOf = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 1)
