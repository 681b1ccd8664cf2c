import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'

const algorithm = 'ssh-ed25519'
// Length and text of the algorithm, then the length of the key (RFC 8709 §4).
const prefix = Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from(algorithm), Buffer.from([0, 0, 0, 32])])
const keyBytes = 32

/** An ed25519 key as SSH writes it. */
export interface PublicKey {
  /** `ssh-ed25519 AAAA…`, without a comment. */
  line: string
  /** `SHA256:…`, as `ssh-keygen -l` shows it. */
  fingerprint: string
  key: KeyObject
}

/** Reads SSH's wire form in base64; `undefined` for everything that is no ed25519 key. */
export function readWireKey(base64: string): PublicKey | undefined {
  const wire = Buffer.from(base64, 'base64')
  if (wire.length !== prefix.length + keyBytes || !wire.subarray(0, prefix.length).equals(prefix))
    return undefined
  const x = wire.subarray(prefix.length).toString('base64url')
  const digest = createHash('sha256').update(wire).digest('base64').replace(/=+$/, '')
  return {
    line: `${algorithm} ${wire.toString('base64')}`,
    fingerprint: `SHA256:${digest}`,
    key: createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } }),
  }
}

/** Reads the line of `~/.ollama/id_ed25519.pub`, with or without a comment behind the key. */
export function readKeyLine(text: string): PublicKey | undefined {
  const [, wire] = /^ssh-ed25519[ \t]+([A-Za-z0-9+/]{68}={0,2})(?:[ \t][^\r\n]*)?$/.exec(text.trim()) ?? []
  return wire === undefined ? undefined : readWireKey(wire)
}

/** Whether the key has signed the text; `signature` in base64. */
export function hasSigned({ key }: PublicKey, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64')
  return bytes.length === 64 && verify(null, Buffer.from(text), key, bytes)
}
