import { defineConfig } from '@playwright/test'

/** Chromium as the toolchain or the PATH has it; it must not look for anything outside. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export default defineConfig({
  testDir: '.',
  // Has a configuration of its own.
  testIgnore: 'firefox/**',
  outputDir: '../../test-results/web',
  // A worker has a server and a browser; `npm test` runs two of them for all but the budgets of time.
  workers: 1,
  timeout: 300_000,
  // A deadline, not a promise of speed: a busy machine takes 20 s for a job that takes one at rest.
  expect: { timeout: 60_000 },
  forbidOnly: true,
  use: {
    launchOptions: {
      executablePath: process.env['ARSENAL_CHROMIUM'] ?? '/usr/bin/chromium',
      args,
      // Where no locale is set, Chromium cannot open files whose names are not ASCII.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
    viewport: { width: 1360, height: 850 },
    screenshot: 'only-on-failure',
  },
})
