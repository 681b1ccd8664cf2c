// Mirrors of another built server, and of a hub that is made for the tests.
import { runFolder } from '../fixtures/run-folder.mjs'

await runFolder(import.meta.url, { waiting: ['stalled', 'public-hub-ill'] })
