// The files of deploy/, tested with the programs that read them.
import { runFolder } from '../fixtures/run-folder.mjs'

await runFolder(import.meta.url)
