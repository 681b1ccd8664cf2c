// The real ollama, built from its Go module: no other registry in use has it.
import { join } from 'node:path'
import { must } from '../run.mjs'
import { cached } from './cache.mjs'
import { requireGo } from './go.mjs'

/** From 0.12 on the module lacks the headers of its folder `vendor`, which Go leaves out of modules. */
const version = '0.11.4'

/** Answers the program. Its C++ takes some ten minutes on two cores. */
export async function ensureOllama() {
  const folder = await cached(`ollama-${version}`, async (made) => {
    await requireGo('the soak builds ollama, which')
    // No model is run: what is compiled fast is fast enough.
    const env = { GOBIN: made, CGO_ENABLED: '1', CGO_CFLAGS: '-O0', CGO_CXXFLAGS: '-O0' }
    await must('go', ['install', `github.com/ollama/ollama@v${version}`], { quiet: true, env })
  })
  return join(folder, 'ollama')
}
