import { createSign, generateKeyPairSync, hash, randomBytes, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { Assertion } from './assertion.ts'
import type { Registration } from './register.ts'

const url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer')

/** How an authenticator answers; what is left out is as it should be. */
interface Behaviour {
  origin?: string
  rpId?: string
  isVerified?: boolean
  counter?: number
  crossOrigin?: boolean
  /** The attestation statement, where one is sent. */
  attestation?: { fmt: string; statement: Map<string, unknown> }
}

/** An authenticator that makes one passkey (ES256) and signs with it, as WebAuthn says. */
export class Authenticator {
  readonly id = randomBytes(32)
  readonly #key: KeyObject
  readonly #jwk: { x?: string; y?: string }
  readonly #home: string
  counter = 0
  userHandle: string | undefined

  constructor(origin: string) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = privateKey
    this.#jwk = publicKey.export({ format: 'jwk' })
    this.#home = origin
  }

  #clientData(type: string, challenge: string, { origin = this.#home, crossOrigin }: Behaviour): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, ...(crossOrigin && { crossOrigin }) }))
  }

  #data(
    { rpId = new URL(this.#home).hostname, isVerified = true, counter }: Behaviour,
    isNew: boolean,
  ): Buffer {
    const flags = 1 + (isVerified ? 4 : 0) + (isNew ? 64 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? this.counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
  }

  /** Makes the passkey for options of `navigator.credentials.create()`. */
  register(options: { challenge: string; user?: unknown }, behaviour: Behaviour = {}): Registration {
    this.userHandle = (options.user as { id: string } | undefined)?.id
    const coordinate = (text = '') => new Uint8Array(Buffer.from(text, 'base64url'))
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(this.#jwk.x)],
      [-3, coordinate(this.#jwk.y)],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const authData = Buffer.concat([
      this.#data(behaviour, true),
      Buffer.alloc(16),
      length,
      this.id,
      isoCBOR.encode(key as never),
    ])
    const { fmt, statement } = behaviour.attestation ?? { fmt: 'none', statement: new Map<string, unknown>() }
    const attestation = new Map<string, unknown>([
      ['fmt', fmt],
      ['attStmt', statement],
      ['authData', new Uint8Array(authData)],
    ])
    const clientDataJSON = url(this.#clientData('webauthn.create', options.challenge, behaviour))
    const attestationObject = url(isoCBOR.encode(attestation as never))
    const id = url(this.id)
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON, attestationObject, transports: ['internal'] },
    }
  }

  /** Signs the challenge of options of `navigator.credentials.get()`. */
  sign(options: { challenge: string }, behaviour: Behaviour = {}): Assertion {
    const clientData = this.#clientData('webauthn.get', options.challenge, behaviour)
    const authenticatorData = this.#data(behaviour, false)
    const signature = createSign('sha256')
      .update(Buffer.concat([authenticatorData, sha256(clientData)]))
      .sign(this.#key)
    const id = url(this.id)
    const response = {
      clientDataJSON: url(clientData),
      authenticatorData: url(authenticatorData),
      signature: url(signature),
      ...(this.userHandle !== undefined && { userHandle: this.userHandle }),
    }
    return { id, rawId: id, type: 'public-key', response }
  }
}
