/** `Firefox 128 on Linux` from a user agent; the agent itself where it is none of the known. */
export function browserName(agent: string): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Version)\/(\d+)/.exec(agent)
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(agent)?.[1]
  if (!browser) return agent || 'unknown'
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', Version: 'Safari' }
  const name = names[browser[1] ?? ''] ?? browser[1]
  return `${name} ${browser[2]}${system ? ` on ${system}` : ''}`
}
