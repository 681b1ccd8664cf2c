import { getCookie } from 'hono/cookie'
import { optionalTime, time, type z } from '../../../core/http/contract.ts'
import type { App } from '../../../core/http/env.ts'
import { nativeBase } from '../../../core/http/surface.ts'
import { confirmationOptions, confirmSession } from '../confirm.ts'
import { sessionCookieName } from '../cookie.ts'
import { finishLogin } from '../second-factor.ts'
import { signedIn } from '../signed-in-handlers.ts'
import { passkeySignInOptions } from './assertion.ts'
import { listPasskeys, removePasskey, renamePasskey } from './manage.ts'
import type { PasskeyRow } from './queries.ts'
import { createRecoveryCodes } from './recovery-codes.ts'
import { addPasskey, passkeyOptions } from './register.ts'
import * as routes from './routes.ts'
import { signInWithPasskey } from './sign-in.ts'

function viewPasskey({ id, name, created_at, last_used_at }: PasskeyRow): z.input<typeof routes.Passkey> {
  const used = optionalTime(last_used_at)
  return { id, name, created_at: time(created_at), ...(used !== undefined && { last_used_at: used }) }
}

/** Passkeys and recovery codes: one's own, signing in with them, and confirming who one is. */
export function mountPasskeys(app: App): void {
  mountOwn(app)
  mountConfirmation(app)
  mountSignIn(app)
}

function mountOwn(app: App): void {
  app.openapi(routes.listPasskeys, async (c) =>
    c.json({ items: (await listPasskeys(c.var.ctx)).map(viewPasskey), next_cursor: '' }, 200),
  )

  app.openapi(routes.createPasskeyOptions, async (c) => {
    c.header('Cache-Control', 'no-store')
    return c.json(await passkeyOptions(c.var.ctx), 200)
  })

  app.openapi(routes.createPasskey, async (c) => {
    const { name, credential } = c.req.valid('json')
    const { passkey, recoveryCodes } = await addPasskey(c.var.ctx, name, credential)
    c.header('Location', `${nativeBase}/me/passkeys/${passkey.id}`)
    c.header('Cache-Control', 'no-store')
    return c.json({ ...viewPasskey(passkey), ...(recoveryCodes && { recovery_codes: recoveryCodes }) }, 201)
  })

  app.openapi(routes.updatePasskey, async (c) => {
    const row = await renamePasskey(c.var.ctx, c.req.valid('param').id, c.req.valid('json').name)
    return c.json(viewPasskey(row), 200)
  })

  app.openapi(routes.deletePasskey, async (c) => {
    await removePasskey(c.var.ctx, c.req.valid('param').id)
    return c.body(null, 204)
  })

  app.openapi(routes.createRecoveryCodes, async (c) => {
    const codes = await createRecoveryCodes(c.var.ctx)
    c.header('Location', `${nativeBase}/me/passkeys`)
    c.header('Cache-Control', 'no-store')
    return c.json({ codes }, 201)
  })
}

function mountConfirmation(app: App): void {
  app.openapi(routes.createConfirmationOptions, async (c) => {
    c.header('Cache-Control', 'no-store')
    return c.json(await confirmationOptions(c.var.ctx), 200)
  })

  app.openapi(routes.confirmSession, async (c) => {
    await confirmSession(c.var.ctx, c.req.valid('json'))
    return c.body(null, 204)
  })
}

function mountSignIn(app: App): void {
  app.openapi(routes.createPasskeySignInOptions, async (c) => {
    c.header('Cache-Control', 'no-store')
    return c.json(await passkeySignInOptions(c.var.ctx), 200)
  })

  app.openapi(routes.signInWithPasskey, async (c) => {
    const { passkey } = c.req.valid('json')
    const secret = await signInWithPasskey(c.var.ctx, passkey, getCookie(c, sessionCookieName))
    c.header('Cache-Control', 'no-store')
    return c.json(await signedIn(c, secret), 200)
  })

  app.openapi(routes.finishLogin, async (c) => {
    const secret = await finishLogin(c.var.ctx, c.req.valid('json'), getCookie(c, sessionCookieName))
    c.header('Cache-Control', 'no-store')
    return c.json(await signedIn(c, secret), 200)
  })
}
