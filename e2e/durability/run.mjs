// The order in which the server makes things durable, seen from outside, and what a power cut leaves.
import { runFolder } from '../fixtures/run-folder.mjs'

await runFolder(import.meta.url)
