// Every attack of this folder against the built server, one file after the other: each watches time and memory.
import { runFolder } from '../fixtures/run-folder.mjs'

await runFolder(import.meta.url)
