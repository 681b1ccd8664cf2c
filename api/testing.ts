/*
 * What the tests of every room begin with: a world on each database, and who and what there is in it.
 */
export { givenOrg, givenRepo, givenToken, givenUser } from './testing/given.ts'
export { setFacts, type GivenFacts } from './testing/set-facts.ts'
export { dbWith } from './testing/db-with.ts'
export {
  appOf,
  eachDatabase,
  eachDirectStore,
  eachRedirectingStore,
  eachStore,
  oneDatabase,
  testConfig,
  type S3Place,
  type World,
} from './testing/world.ts'
export { after, before, hold, untilBlocked, type Held, type Point } from './testing/interleave.ts'
export { overtake, waysToOvertake, type Verb } from './testing/overtake.ts'
