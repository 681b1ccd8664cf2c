// What a browser itself says of how a page came: largest paint, layout shift, interactions, frames. For the tests of
// budgets and for the bench of pages.

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {import('@playwright/test').Locator} Locator */
/**
 * `shift` is the sum of all layout shifts that no input caused; `paintMs` when the largest element was painted; `slowestMs`
 * the slowest event that began after `from`, and `pressMs` the slowest of those that the metric INP counts: taps, presses and
 * keys, but nothing that is hovered or scrolled (https://web.dev/articles/inp).
 * @typedef {{ shift: number, paintMs: number, slowestMs: number, pressMs: number, from: number }} Measured
 */

function observe() {
  const measured = { shift: 0, paintMs: 0, slowestMs: 0, pressMs: 0, from: 0 }
  Object.assign(globalThis, { measured })
  /** @type {(type: string, keep: (entry: any) => void, more?: object) => void} */
  const watch = (type, keep, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(keep)).observe({
      type,
      buffered: true,
      ...more,
    })
  watch('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) measured.shift += value
  })
  watch('largest-contentful-paint', ({ startTime }) => (measured.paintMs = startTime))
  watch(
    'event',
    ({ startTime, duration, interactionId }) => {
      if (startTime <= measured.from) return
      measured.slowestMs = Math.max(measured.slowestMs, duration)
      if (interactionId > 0) measured.pressMs = Math.max(measured.pressMs, duration)
    },
    { durationThreshold: 16 },
  )
}

/**
 * Has each document that a page opens from now on measure itself.
 * @param {Page} page
 */
export const watchPage = (page) => page.addInitScript(observe)

/**
 * What the document of a page has measured so far.
 * @param {Page} page
 * @returns {Promise<Measured>}
 */
export const measuredOf = (page) => page.evaluate(() => /** @type {any} */ (globalThis).measured)

/**
 * Forgets the events so far.
 * @param {Page} page
 */
export const beginWatch = (page) =>
  page.evaluate(() => {
    Object.assign(/** @type {any} */ (globalThis).measured, {
      from: performance.now(),
      slowestMs: 0,
      pressMs: 0,
    })
  })

/**
 * How long the slowest events since `beginWatch` took, once what they caused is painted and reported.
 * @param {Page} page
 */
export async function eventsOf(page) {
  await page.evaluate(async () => {
    for (let i = 0; i < 2; i++) await new Promise((resolve) => requestAnimationFrame(resolve))
    await new Promise((resolve) => setTimeout(resolve, 50))
  })
  return await measuredOf(page)
}

/**
 * Scrolls an element for two seconds, a little further in each frame; answers how long the frames took, and the most rows
 * that were made.
 * @param {Locator} locator
 */
export const scrolled = (locator) =>
  locator.evaluate(async (element) => {
    const gaps = []
    let [last, most] = [performance.now(), 0]
    const end = last + 2000
    while (last < end) {
      element.scrollBy(0, 90)
      /** @type {number} */
      const now = await new Promise((resolve) => requestAnimationFrame(resolve))
      gaps.push(now - last)
      last = now
      most = Math.max(most, element.querySelectorAll('[role="row"]').length)
    }
    return { gaps: gaps.toSorted((a, b) => a - b), most }
  })
