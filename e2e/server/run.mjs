// What only the built server can show. `npm test` runs it under the machine's Node and under the image's.
import { runFolder } from '../fixtures/run-folder.mjs'

await runFolder(import.meta.url)
