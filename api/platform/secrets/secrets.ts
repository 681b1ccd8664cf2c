import { randomBytes } from 'node:crypto'
import { openCursor, signCursor } from './cursor.ts'
import { keepSecret, readSecrets } from './file.ts'
import { Keyring, sameBytes } from './keyring.ts'
import { seal, unseal } from './seal.ts'
import { openToken, signToken } from './signed-token.ts'
import { signUrl, verifyUrl, type UrlVerdict } from './signed-url.ts'

/** What the instance key does: seal stored secrets, sign URLs, tokens, cursors and CSRF tokens. */
export interface Secrets {
  /** Encrypts text for the database; `context` names its row, so that it opens nowhere else. */
  seal(context: string, plain: string): string
  /** The sealed text; `undefined` when it was altered, belongs to another context or its key is gone. */
  open(context: string, sealed: string): string | undefined
  /** A URL that authenticates itself: adds `exp` and `sig` over the method, the path and all query parameters. */
  signUrl(method: string, url: string, expiresAt: Date): string
  /** HEAD passes with the signature of GET. Parameters may be trusted only after `valid`. */
  verifyUrl(method: string, url: string, now: Date): UrlVerdict
  /** `context`: route, filters, visibility class and sort key of the list, as JSON. */
  signCursor(context: unknown, position: unknown): string
  /** The position signed in the same context; `undefined` means `invalid-cursor`. */
  openCursor(context: unknown, cursor: string): unknown
  /** ASCII text that carries the payload, for everybody to read, and proves that we wrote it for this purpose. */
  signToken(purpose: string, payload: unknown): string
  /** The payload signed for the same purpose; `undefined` when the token is not one of ours. */
  openToken(purpose: string, token: string): unknown
  /** 16 hex digits that stand for a text and tell nothing of it. */
  tagOf(purpose: string, text: string): string
  csrfFor(sessionId: string): string
  csrfMatches(sessionId: string, token: string): boolean
}

export interface SecretsOptions {
  /** Folder of `secrets.yaml`. */
  dataDir: string
  /** `security.instance_key`; empty: the key of `secrets.yaml`, generated when there is none. */
  instanceKey: string
}

/**
 * Opens the instance key. After a change of key in the configuration the key of `secrets.yaml` and those listed there
 * under `previous_keys` still open what they sealed; signatures are made and accepted under the present key alone.
 */
export async function openSecrets({ dataDir, instanceKey }: SecretsOptions): Promise<Secrets> {
  const present =
    instanceKey || (await keepSecret(dataDir, 'instance_key', () => randomBytes(32).toString('base64')))
  const { instance_key, previous_keys } = await readSecrets(dataDir)
  const previous = [instance_key, ...(Array.isArray(previous_keys) ? (previous_keys as unknown[]) : [])]
  return secretsFrom([
    present,
    ...previous.filter((key) => typeof key === 'string').filter((key) => key !== present),
  ])
}

/** @param keys base64 instance keys, the present one first */
export function secretsFrom(keys: [string, ...string[]]): Secrets {
  const ring = new Keyring(keys[0])
  const rings = [ring, ...keys.slice(1).map((key) => new Keyring(key))]
  const csrf = (sessionId: string) => ring.mac('csrf', [sessionId])
  return {
    seal: (context, plain) => seal(ring, context, plain),
    open: (context, sealed) => unseal(rings, context, sealed),
    signUrl: (method, url, expiresAt) => signUrl(ring, method, url, expiresAt),
    verifyUrl: (method, url, now) => verifyUrl(ring, method, url, now),
    signCursor: (context, position) => signCursor(ring, context, position),
    openCursor: (context, cursor) => openCursor(ring, context, cursor),
    signToken: (purpose, payload) => signToken(ring, purpose, payload),
    openToken: (purpose, token) => openToken(ring, purpose, token),
    tagOf: (purpose, text) => ring.mac(purpose, [text]).toString('hex', 0, 8),
    csrfFor: (sessionId) => csrf(sessionId).toString('base64url'),
    csrfMatches: (sessionId, token) => sameBytes(Buffer.from(token, 'base64url'), csrf(sessionId)),
  }
}
