// The browser of the page tests.
import { ensureProgram } from './apt.mjs'

/** Best first: the shell is the same engine without the browser's own windows, for a sixth less CPU time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** The path of a Chromium; installs Debian's when there is none. */
export const ensureChromium = () => ensureProgram(names, 'chromium-headless-shell')
