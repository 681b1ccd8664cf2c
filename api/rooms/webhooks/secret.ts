import { createHmac, randomBytes } from 'node:crypto'
import type { Ctx } from '../../core/ctx.ts'
import { invalidField } from '../../platform/problems/index.ts'

/*
 * Standard Webhooks (github.com/standard-webhooks/standard-webhooks, spec/standard-webhooks.md): a secret is `whsec_` and
 * base64 of 24 to 64 bytes; the signature `v1,` and base64 of HMAC-SHA-256 over `{id}.{seconds}.{body}`.
 */
const prefix = 'whsec_'
const standard = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
/** It may have to be sent as a header. */
const printable = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/

/** A fresh secret. */
export const newSecret = (): string => prefix + randomBytes(32).toString('base64')

/** Problem `validation-failed` unless receivers could verify by it. */
export function checkSecret(secret: string): void {
  if (!printable.test(secret))
    throw invalidField('secret', 'use 1 to 256 printable ASCII characters, without blanks at the ends')
  if (!secret.startsWith(prefix)) return
  const { byteLength } = keyOf(secret)
  if (!standard.test(secret) || byteLength < 24 || byteLength > 64)
    throw invalidField('secret', 'after whsec_ comes base64 of 24 to 64 bytes')
}

const contextOf = (webhookId: string) => `webhook/${webhookId}`

/** For the database. */
export const sealSecret = ({ secrets }: Pick<Ctx, 'secrets'>, webhookId: string, secret: string): string =>
  secrets.seal(contextOf(webhookId), secret)

/** `undefined` when the instance key it was sealed with is gone. */
export const openSecret = (
  { secrets }: Pick<Ctx, 'secrets'>,
  webhookId: string,
  sealed: string,
): string | undefined => secrets.open(contextOf(webhookId), sealed)

/** Secrets of another form, such as those of hub clients, are the key as they stand. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret)

/** The value of `webhook-signature`. */
export function signatureOf(secret: string, message: { id: string; seconds: number; body: string }): string {
  const signed = `${message.id}.${message.seconds}.${message.body}`
  return `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`
}
