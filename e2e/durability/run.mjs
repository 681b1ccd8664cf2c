// The order in which the server syncs its writes, seen from outside, and what a power cut leaves.
import { runFolder } from '../fixtures/run-folder.mjs'

await runFolder(import.meta.url)
