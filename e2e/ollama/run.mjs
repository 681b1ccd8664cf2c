// The real ollama against the built server: ARSENAL_OLLAMA is its program.
import { runFolder } from '../fixtures/run-folder.mjs'

await runFolder(import.meta.url)
