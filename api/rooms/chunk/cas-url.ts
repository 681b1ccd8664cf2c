import type { Config } from '../../platform/config/index.ts'
import type { Ctx } from '../../core/ctx.ts'

/** Path of the endpoints while `chunk.cas_url` is empty; no namespace can have its name. */
export const defaultCasPath = '/chunk-cas'

const rootUrl = ({ chunk, server }: Config): URL =>
  new URL(chunk.cas_url || defaultCasPath, server.public_url)

/** Path of `chunk.cas_url`, without a slash at its end: empty for the root of a host. */
export const casPath = (config: Config): string => rootUrl(config).pathname.replace(/\/+$/, '')

/**
 * Where a user sends chunks: absolute, and without a slash at its end, since clients append `/v1/…` as text. hf-xet
 * keeps its cache of shards by this very text; the tag keeps it from naming chunks that another user of the same
 * machine has sent, and another `chunk.cas_url` makes every client begin again (chunk-upload.md §3, §9).
 */
export function casUrlOf({ config, secrets }: Pick<Ctx, 'config' | 'secrets'>, userId: string): string {
  return `${rootUrl(config).origin}${casPath(config)}/${secrets.tagOf('cas-tag', userId)}`
}
