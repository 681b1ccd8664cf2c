import type { Context } from 'hono'
import type { App, Env } from '../../core/http/env.ts'
import { headerOf } from '../../core/http/header.ts'
import { readBody } from '../../core/http/request-body.ts'
import { Problem } from '../../platform/problems/index.ts'
import { redeemDevice, type DeviceRefusal } from './redeem-device.ts'
import { hfClientId, requestDevice } from './request-device.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

type OAuthError = DeviceRefusal | 'invalid_client' | 'invalid_request' | 'unsupported_grant_type'

const descriptions: Record<OAuthError, string> = {
  authorization_pending: 'The request for this device is still pending.',
  slow_down: 'Wait longer between polls.',
  access_denied: 'The request was denied.',
  expired_token: 'The code has expired. Start again.',
  invalid_grant: 'This device code is unknown or has been used.',
  invalid_client: 'No such client is registered.',
  invalid_request: 'A parameter is missing or the body is no form.',
  unsupported_grant_type: 'Only the device code grant is offered.',
}

// hub-wire.md §11.2: clients read JSON below 500 and take everything else for "not yet".
function refuse(c: Context<Env>, error: OAuthError, description = descriptions[error]): Response {
  return c.json({ error, error_description: description }, 400, { 'Cache-Control': 'no-store' })
}

/** The fields of a form body; none when it is something else. */
async function formOf(c: Context<Env>): Promise<Partial<Record<string, string>>> {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(headerOf(c, 'content-type') ?? '')
  if (!isForm) return {}
  return Object.fromEntries(new URLSearchParams((await readBody(c, { size: 'small' })).toString('utf8')))
}

/** Answers by the form; a body that cannot be read is refused as OAuth does (RFC 6749 §5.2). */
async function byForm(
  c: Context<Env>,
  answer: (form: Partial<Record<string, string>>) => Promise<Response> | Response,
): Promise<Response> {
  try {
    return await answer(await formOf(c))
  } catch (error) {
    if (error instanceof Problem && unreadable.has(error.code))
      return refuse(c, 'invalid_request', error.detail)
    throw error
  }
}

const unreadable = new Set<Problem['code']>(['body-too-large', 'request-timeout', 'unsupported-media-type'])

/** Device login for command lines (RFC 8628): `POST /oauth/device` begins one, `POST /oauth/token` polls for its token. */
export function mountOAuth(app: App): void {
  app.post('/oauth/device', (c) =>
    byForm(c, ({ client_id }) => {
      if (client_id === undefined) return refuse(c, 'invalid_request')
      if (client_id !== hfClientId) return refuse(c, 'invalid_client')
      return beginDevice(c)
    }),
  )

  app.post('/oauth/token', (c) =>
    byForm(c, ({ grant_type, device_code, client_id }) => {
      if (grant_type === undefined) return refuse(c, 'invalid_request')
      if (grant_type !== deviceGrant) return refuse(c, 'unsupported_grant_type')
      if (device_code === undefined || client_id === undefined) return refuse(c, 'invalid_request')
      if (client_id !== hfClientId) return refuse(c, 'invalid_client')
      return pollDevice(c, device_code)
    }),
  )
}

async function beginDevice(c: Context<Env>): Promise<Response> {
  const { ctx } = c.var
  const { deviceCode, login } = await requestDevice(ctx)
  // Never from the Host header: a person opens this address and signs in there.
  const page = new URL('/device', ctx.config.server.public_url).href
  const body = {
    device_code: deviceCode,
    user_code: login.user_code,
    verification_uri: page,
    verification_uri_complete: `${page}?code=${login.user_code}`,
    expires_in: Math.round((login.expires_at.getTime() - login.created_at.getTime()) / 1000),
    interval: login.interval_s,
  }
  return c.json(body, 200, { 'Cache-Control': 'no-store' })
}

async function pollDevice(c: Context<Env>, deviceCode: string): Promise<Response> {
  const redeemed = await redeemDevice(c.var.ctx, deviceCode)
  if (typeof redeemed === 'string') return refuse(c, redeemed)
  const { token, secret } = redeemed
  const expires_in = token.expires_at
    ? Math.max(0, Math.floor((token.expires_at.getTime() - c.var.ctx.now().getTime()) / 1000))
    : undefined
  return c.json(
    {
      access_token: secret,
      token_type: 'bearer',
      scope: token.scopes.join(' '),
      ...(expires_in !== undefined && { expires_in }),
    },
    200,
    { 'Cache-Control': 'no-store' },
  )
}
