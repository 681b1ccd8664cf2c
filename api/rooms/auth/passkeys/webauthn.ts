import type * as Library from '@simplewebauthn/server'
import type * as Helpers from '@simplewebauthn/server/helpers'

let library: Promise<typeof Library & Pick<typeof Helpers, 'decodeAttestationObject'>> | undefined

/** The library, which brings parsers of certificates that a server may never need. */
export const webauthn = () => (library ??= load())

async function load() {
  // Its parsers want this in place first, and bundled code does not keep their own order.
  await import('reflect-metadata')
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  return { ...(await import('@simplewebauthn/server')), decodeAttestationObject }
}

/** EdDSA, ES256, RS256 (RFC 9053, RFC 8812): what authenticators have. */
export const algorithms = [-8, -7, -257]
