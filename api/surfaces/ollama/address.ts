/** Path prefix of the registry. */
export const registryBase = '/v2'

/** Where a client exchanges a signature for a token. */
export const tokenPath = `${registryBase}/token`

/** Whether an address belongs to the registry. */
export const isRegistryPath = (path: string): boolean =>
  path === registryBase || path.startsWith(`${registryBase}/`)

const repo = /^\/v2\/([\w.-]{1,96})\/([\w.-]{1,96})\//

/** What a token is asked for at an address, as a challenge says it: no quotes, no commas. */
export function scopeOf(path: string): string {
  const [, ns, name] = repo.exec(path) ?? []
  return name === undefined ? 'registry:catalog:*' : `repository:${ns}/${name}:pull`
}
