export { askUpstream, jsonOf, streamUpstream, unavailable, type AskOptions, type Caller } from './client.ts'
export { pauseLeft } from './pace.ts'
export { noteTokenValidity, tokenFor, type UpstreamToken } from './tokens.ts'
export { findUpstream, listUpstreams, PUBLIC_HUB, requireUpstream, type Upstream } from './upstream.ts'
