import { expect, type Locator } from '@playwright/test'

/** Types a text over what a field holds, key by key: a value that Playwright fills in does not reach React here. */
export async function type(field: Locator, text: string) {
  await field.click()
  await field.press('Control+a')
  await field.press('Delete')
  await field.pressSequentially(text)
}

/** The same, for a field whose value can be read. */
export async function typeValue(field: Locator, text: string) {
  await type(field, text)
  await expect(field).toHaveValue(text)
}
