import type { Agent } from 'node:http'
import { HttpProxyAgent } from 'http-proxy-agent'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { getProxyForUrl } from 'proxy-from-env'

const agents = new Map<string, Agent>()

/**
 * The proxy of the environment for a URL: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in either case, as curl
 * reads them. Each request has a connection of its own.
 */
export function environmentProxy(url: URL): Agent | undefined {
  const proxy = getProxyForUrl(url.href)
  if (proxy === '') return undefined
  const key = `${url.protocol} ${proxy}`
  const agent =
    agents.get(key) ?? (url.protocol === 'https:' ? new HttpsProxyAgent(proxy) : new HttpProxyAgent(proxy))
  agents.set(key, agent)
  return agent
}
