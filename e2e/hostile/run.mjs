// Every attack of this folder against the built server: each watches time and memory of a server of its own.
import { runFolder } from '../fixtures/run-folder.mjs'

await runFolder(import.meta.url, { waiting: ['stalled'] })
