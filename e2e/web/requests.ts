import { expect, type Page } from './fixtures.ts'

/**
 * Answers a wait for a page whose requests are all answered and caused no others for so long. Playwright's own
 * `networkidle` takes half a second each time, and is over for good once half a second passed without a request, which a
 * busy machine may need to run one script before it asks for the next.
 */
export function watchRequests(page: Page, quietMs: number): () => Promise<void> {
  const open = new Set<unknown>()
  let last = Date.now()
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') open.add(request)
  })
  const end = (request: unknown) => {
    open.delete(request)
    last = Date.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return () =>
    expect.poll(() => open.size === 0 && Date.now() - last > quietMs, { intervals: [25] }).toBe(true)
}
