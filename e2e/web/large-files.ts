import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type GivenRepo, type Page } from './fixtures.ts'

/** Uploads a file through the page. */
export async function upload(page: Page, repo: GivenRepo, name: string, buffer: Buffer) {
  await page.goto(`${repo.page}/upload/main`)
  await page
    .getByLabel('Files to upload')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
  await page.getByLabel('Commit title').fill('Add weights')
  await page.getByRole('button', { name: 'Upload the file' }).click()
  await expect(page).toHaveURL(`${repo.page}/tree/main`)
}

/** Where the store has the only file of that many bytes. */
export async function storedFile(dir: string, bytes: number): Promise<string> {
  for (const name of await readdir(dir, { recursive: true })) {
    const path = join(dir, name)
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile() && found.size === bytes) return path
  }
  throw new Error(`no file of ${bytes} bytes in ${dir}`)
}
