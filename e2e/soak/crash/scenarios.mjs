// What is asked of the server while it dies, and what must hold afterwards. Each scenario has
//   prepare(program, shared)    makes what the request needs; answers the state the others are given
//   act(program, state)         the request; notes in the state what was acknowledged
//   check(program, state)       after a restart: what was acknowledged is there, and nothing is there by half
//   retry(program, state)       the same request again: it succeeds
//   settle(program, state)      after the retry: it was done once
import { chunkedFile, xorb } from './chunk-scenarios.mjs'
import { commit, lfsPut, multipart } from './content-scenarios.mjs'
import { gc } from './gc-scenario.mjs'
import { push } from './push-scenario.mjs'
import { create, remove, rename } from './repo-scenarios.mjs'

/** Every scenario, by the name of what is asked. */
export const scenarios = {
  'hub commit': commit,
  push,
  'LFS upload': lfsPut,
  'upload in parts': multipart,
  'chunk container': xorb,
  'file in chunks': chunkedFile,
  'create repo': create,
  'rename repo': rename,
  'delete repo': remove,
  'garbage collection': gc,
}
