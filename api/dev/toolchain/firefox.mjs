// The other browser of the page tests.
import { ensureProgram } from './apt.mjs'

/** Debian's first; other distributions name it without the suffix. */
const names = ['firefox-esr', 'firefox']

/** The path of a Firefox; installs Debian's when there is none. */
export const ensureFirefox = () => ensureProgram(names, 'firefox-esr')
