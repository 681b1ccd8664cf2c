import { isIP } from 'node:net'
import type { Config } from '../../../platform/config/index.ts'

/** For whom passkeys are made: a host name, and the one origin that may use them. */
export interface RelyingParty {
  id: string
  name: string
  origin: string
}

/**
 * The relying party of this server (WebAuthn), or in plain words why browsers would refuse to be one's: they demand
 * https, except on `localhost`, and a host name.
 */
export function relyingParty({ server }: Pick<Config, 'server'>): RelyingParty | { reason: string } {
  const { protocol, hostname, origin } = new URL(server.public_url)
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0)
    return {
      reason: `Passkeys need a host name, and the address of this server is the IP address ${hostname}.`,
    }
  if (protocol !== 'https:' && hostname !== 'localhost')
    return { reason: `Passkeys need https, and the address of this server is ${origin}.` }
  return { id: hostname, name: 'Arsenal', origin }
}
