// Caddy, for the test of deploy/Caddyfile.
import { join } from 'node:path'
import { exists } from '../run.mjs'
import { aptUnpack } from './apt.mjs'
import { cached } from './cache.mjs'

/** The program: the one on the PATH, or Debian's, whose package would start a web server on port 80 if it were installed. */
export async function ensureCaddy() {
  if (await exists('caddy')) return 'caddy'
  const folder = await cached('caddy-of-debian', (made) => aptUnpack('caddy', made))
  return join(folder, 'usr', 'bin', 'caddy')
}
