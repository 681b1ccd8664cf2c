import type { Browser } from '@playwright/test'
import { openDatabase } from '../fixtures/database.mjs'
import { expect, type Caller, type Page, type Server } from './fixtures.ts'

/** A page in a fresh browser. */
export const freshPage = async (browser: Browser, server: Server) =>
  (await browser.newContext({ baseURL: server.url })).newPage()

/** Sets a password on the page of a link, which says that it is set. */
export async function setPassword(page: Page, password: string) {
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible()
}

/** Signs in at the form, as a person does. */
export async function givePassword(
  page: Page,
  { username, password }: { username: string; password: string },
) {
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Has every session look as if it began, and was last used, so many minutes ago. The server looks again within two seconds. */
export async function age(server: Server, minutes: number) {
  const database = openDatabase(server.dir)
  const ms = minutes * 60_000
  await database.execute({
    sql: 'update sessions set created_at = created_at - ?, last_seen_at = last_seen_at - ?, confirmed_at = null',
    args: [ms, ms],
  })
  database.close()
}

/**
 * Has every session be half an hour old, and waits until the server sees that of one of them. The host name of the server
 * must be `localhost`: what tells is the question for a passkey, which changes nothing and needs a fresh sign-in.
 */
export async function outlast(server: Server, person: Pick<Caller, 'native'>) {
  await age(server, 30)
  await expect(async () => {
    await expect(person.native('POST', '/me/passkeys/options')).rejects.toThrow('fresh-sign-in-required')
  }).toPass()
}
