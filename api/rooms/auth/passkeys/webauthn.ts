type Library = typeof import('@simplewebauthn/server')

let library: Promise<Library> | undefined

/** The library, which brings parsers of certificates that a server may never need. */
export const webauthn = (): Promise<Library> => (library ??= import('@simplewebauthn/server'))

/** EdDSA, ES256, RS256 (RFC 9053, RFC 8812): what authenticators have. */
export const algorithms = [-8, -7, -257]
