// Runs every attack of this folder against the built server; each measures time and memory of its own server.
import { runFolder } from '../fixtures/run-folder.mjs'

await runFolder(import.meta.url, { waiting: ['stalled'] })
