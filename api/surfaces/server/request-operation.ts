import type { OperationName } from '../../platform/telemetry/index.ts'

const operations: { method: string; path: RegExp; name: OperationName }[] = [
  { method: 'POST', path: /\/git-receive-pack$/, name: 'git.receive_pack' },
  { method: 'POST', path: /\/git-upload-pack$/, name: 'git.upload_pack' },
  { method: 'POST', path: /\/info\/lfs\/objects\/batch$/, name: 'lfs.batch' },
  { method: 'POST', path: /^\/api\/service\/v1\/.*\/uploads$|^\/api\/.*\/preupload\//, name: 'upload.plan' },
  { method: 'PUT', path: /^\/api\/info\/lfs\/|^\/api\/service\/v1\/.*\/parts\/\d+$/, name: 'upload.part' },
  { method: 'POST', path: /^\/api\/.*\/uploads\/[^/]+\/complete$/, name: 'upload.complete' },
  { method: 'POST', path: /^\/api\/.*\/commits?(?:\/|$)/, name: 'commit' },
  { method: 'POST', path: /^\/chunk-cas\/.*xorbs?\//, name: 'xet.xorb' },
  { method: 'POST', path: /^\/chunk-cas\/.*shards?(?:\/|$)/, name: 'xet.shard' },
  { method: 'GET', path: /^\/viewer-api\//, name: 'viewer.query' },
]

/** The operation that a request asks for, where it is one of those that are worth a span of their own (reliability.md §15). */
export function operationOf(method: string, path: string): OperationName | undefined {
  return operations.find((one) => one.method === method && one.path.test(path))?.name
}
