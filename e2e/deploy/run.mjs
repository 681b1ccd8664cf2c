// The files of deploy/ with the programs that they are for.
import { runFolder } from '../fixtures/run-folder.mjs'

await runFolder(import.meta.url)
