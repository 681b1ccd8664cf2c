// For `npm test`: every step of one commit, one push, one upload and one chunk container; on Postgres and a bucket the midst
// of each step of a commit. `npm run test:soak` has the rest.
import { after } from 'node:test'
import { openStores } from '../../topology/stores.mjs'
import { buildCrashServer } from './build.mjs'
import { storesPlace } from './places.mjs'
import { testPoints } from './tests.mjs'

await buildCrashServer()
testPoints(['hub commit', 'push', 'LFS upload', 'chunk container'])
const stores = await openStores()
after(() => stores.stop())
const at = { name: 'Postgres and a bucket', openPlace: () => storesPlace(stores) }
testPoints(['hub commit'], { at, moments: ['during'] })
