import { oneLine, z } from '../../../core/http/contract.ts'

// base64url, as `PublicKeyCredential.toJSON()` writes bytes.
const bytes = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[\w-]*$/, 'must be base64url')

/** Options that a browser takes as they are: `PublicKeyCredentialCreationOptionsJSON`, `…RequestOptionsJSON`. */
export const WebAuthnOptions = z.looseObject({ challenge: z.string() }).openapi('WebAuthnOptions')

const credential = {
  id: bytes(2048),
  rawId: bytes(2048),
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(100).optional(),
  clientExtensionResults: z.record(z.string().max(100), z.unknown()).optional(),
}

/** What `navigator.credentials.create()` answers (WebAuthn, `RegistrationResponseJSON`). */
export const PasskeyRegistration = z
  .strictObject({
    ...credential,
    response: z.strictObject({
      clientDataJSON: bytes(4096),
      attestationObject: bytes(16_384),
      authenticatorData: bytes(8192).optional(),
      transports: z
        .array(oneLine(z.string().max(32)))
        .max(10)
        .optional(),
      publicKeyAlgorithm: z.int().optional(),
      publicKey: bytes(8192).optional(),
    }),
  })
  .openapi('PasskeyRegistration')

/** What `navigator.credentials.get()` answers (WebAuthn, `AuthenticationResponseJSON`). */
export const PasskeyAssertion = z
  .strictObject({
    ...credential,
    response: z.strictObject({
      clientDataJSON: bytes(4096),
      authenticatorData: bytes(8192),
      signature: bytes(4096),
      userHandle: bytes(256).optional(),
    }),
  })
  .openapi('PasskeyAssertion')
