// For `npm test`: every step of one commit, one push, one upload and one chunk container. `npm run test:soak` has the rest.
import { buildCrashServer } from './build.mjs'
import { testPoints } from './tests.mjs'

await buildCrashServer()
testPoints(['hub commit', 'push', 'LFS upload', 'chunk container'])
