import type { OperationName, RequestClass } from '../../platform/telemetry/index.ts'

/*
 * What a request is about, told from its method and path alone: before it is routed, so that one that must wait or is refused
 * costs next to nothing.
 */

const git = /\.git\/|\/info\/(?:lfs|refs)(?:\/|$)|\/git-(?:upload|receive)-pack$/
const file = /\/(?:resolve|raw)\//
const upload = /^\/chunk-cas\/|^\/lfs\/|\/uploads(?:\/|$)|\/(?:pre)?commit(?:\/|$)|\/preupload(?:\/|$)/
const viewer = /^\/viewer-api\/|\/viewer(?:\/|$)/
const api = /^\/(?:api|oauth|v2|-)(?:\/|$)/

/** The class that a request is admitted in and counted by. */
export function classOf(method: string, path: string): RequestClass {
  const isRead = method === 'GET' || method === 'HEAD'
  if (git.test(path)) return 'git'
  if (viewer.test(path)) return 'viewer'
  if (isRead && (file.test(path) || path.startsWith('/lfs/') || path.startsWith('/chunk-cas/')))
    return 'resolver'
  if (!isRead && upload.test(path)) return 'upload'
  return api.test(path) ? 'api' : 'page'
}

const operations: { method: string; path: RegExp; name: OperationName }[] = [
  { method: 'POST', path: /\/git-receive-pack$/, name: 'git.receive_pack' },
  { method: 'POST', path: /\/git-upload-pack$/, name: 'git.upload_pack' },
  { method: 'POST', path: /\/info\/lfs\/objects\/batch$/, name: 'lfs.batch' },
  { method: 'POST', path: /^\/api\/service\/v1\/.*\/uploads$|^\/api\/.*\/preupload\//, name: 'upload.plan' },
  { method: 'PUT', path: /^\/lfs\/|^\/api\/service\/v1\/.*\/parts\/\d+$/, name: 'upload.part' },
  { method: 'POST', path: /\/uploads\/[^/]+\/complete$|^\/lfs\/.*\/complete$/, name: 'upload.complete' },
  { method: 'POST', path: /^\/api\/.*\/commits?(?:\/|$)/, name: 'commit' },
  { method: 'POST', path: /^\/chunk-cas\/.*xorbs?\//, name: 'xet.xorb' },
  { method: 'POST', path: /^\/chunk-cas\/.*shards?(?:\/|$)/, name: 'xet.shard' },
  { method: 'GET', path: viewer, name: 'viewer.query' },
]

/** The operation that a request asks for, where it is one of those that are worth a span of their own (reliability.md §15). */
export function operationOf(method: string, path: string): OperationName | undefined {
  return operations.find((one) => one.method === method && one.path.test(path))?.name
}
