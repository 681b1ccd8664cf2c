import type { Telemetry } from '../../platform/telemetry/index.ts'
import type { BlobStore } from './blob-store.ts'

/** The same store, whose calls `telemetry` observes; a read until its first byte is there. */
export function observedStore(store: BlobStore, telemetry: Pick<Telemetry, 'observe'>): BlobStore {
  const observe = <T>(call: string, subject: string, act: () => Promise<T>) =>
    telemetry.observe({ name: `blob.${call}`, subject }, act)
  return {
    kind: store.kind,
    put: (key, source, options) =>
      telemetry.observe({ name: 'blob.put', subject: key, waitsForSender: true }, () =>
        store.put(key, source, options),
      ),
    read: (key, range, signal) => observe('read', key, () => store.read(key, range, signal)),
    stat: (key) => observe('stat', key, () => store.stat(key)),
    delete: (key) => observe('delete', key, () => store.delete(key)),
    list: (prefix) => store.list(prefix),
    copy: (from, to) => observe('copy', to, () => store.copy(from, to)),
    presignGet: (key, options) => store.presignGet(key, options),
    direct: store.direct,
    localPath: (key) => store.localPath(key),
    freeSpace: () => store.freeSpace(),
    check: () => store.check(),
    close: () => store.close(),
  }
}
