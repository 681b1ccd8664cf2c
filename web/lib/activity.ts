/** After this long without a key, a press or a scroll, what a page asks for is no use of the session. */
const quietMs = 60_000

let lastInput = Date.now()
for (const kind of ['keydown', 'pointerdown', 'wheel', 'focus'])
  globalThis.addEventListener?.(kind, () => (lastInput = Date.now()), true)

/**
 * Whether the page is left alone: what it asks for by itself, such as how jobs go, must not keep a session alive on a screen
 * that was left.
 */
export const isLeftAlone = (): boolean => Date.now() - lastInput > quietMs
