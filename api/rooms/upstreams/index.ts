export { upstreamCheck } from './checks.ts'
export { askUpstream, jsonOf, streamUpstream, unavailable, type AskOptions, type Caller } from './client.ts'
export { tokenFor, type UpstreamToken } from './tokens.ts'
export { findUpstream, listUpstreams, requireUpstream, type Upstream } from './upstream.ts'
