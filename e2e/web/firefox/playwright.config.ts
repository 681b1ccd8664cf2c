import { defineConfig } from '@playwright/test'
import { fileURLToPath } from 'node:url'

/** The main journeys in Debian's Firefox, driven by WebDriver BiDi: Playwright's own build is another browser. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../../test-results/web-firefox',
  workers: 1,
  timeout: 180_000,
  expect: { timeout: 60_000 },
  forbidOnly: true,
  use: {
    browserName: 'firefox',
    channel: 'moz-firefox',
    launchOptions: { executablePath: fileURLToPath(new URL('browser.mjs', import.meta.url)) },
    viewport: { width: 1360, height: 850 },
    screenshot: 'only-on-failure',
  },
})
