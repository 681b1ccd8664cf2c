import {
  startAuthentication,
  startRegistration,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import type { Operations } from '../../shared/client.ts'

type Assertion = Operations['signInWithPasskey']['args']['body']['passkey']
type Registration = Operations['createPasskey']['args']['body']['credential']
type Options = Operations['createPasskeySignInOptions']['result']

/** A browser that refused to make or use a passkey, in words for the person. */
class PasskeyRefusal extends Error {}

function inWords(error: unknown, isNew: boolean): Error {
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError')
    return new PasskeyRefusal(
      isNew
        ? 'No passkey was made: it was cancelled, took too long, or this device cannot make one. Try again.'
        : 'No passkey was used: it was cancelled, took too long, or this device has none. Try again.',
    )
  if (name === 'InvalidStateError')
    return new PasskeyRefusal('This device already has a passkey of your account. Use another device.')
  if (name === 'SecurityError')
    return new PasskeyRefusal(
      'The browser refuses passkeys at this address. Open the server by its own address and try again.',
    )
  return error instanceof Error ? error : new Error(String(error))
}

/** Has the browser make a passkey. A refusal is an error in words for the person. */
export async function makePasskey(options: Options): Promise<Registration> {
  try {
    const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
    const made: RegistrationResponseJSON = await startRegistration({
      optionsJSON,
    })
    return made as Registration
  } catch (error) {
    throw inWords(error, true)
  }
}

/** Has a passkey sign. A refusal is an error in words for the person. */
export async function signWithPasskey(options: Options): Promise<Assertion> {
  try {
    const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
    const signed: AuthenticationResponseJSON = await startAuthentication({
      optionsJSON,
    })
    return signed as Assertion
  } catch (error) {
    throw inWords(error, false)
  }
}
