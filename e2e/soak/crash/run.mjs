// For `npm test`: every step of one commit and one upload. `npm run test:soak` has the rest.
import { buildCrashServer } from './build.mjs'
import { testPoints } from './tests.mjs'

await buildCrashServer()
testPoints(['hub commit', 'LFS upload'])
