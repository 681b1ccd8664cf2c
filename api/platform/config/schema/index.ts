import { z } from 'zod'
import { rules } from '../rules.ts'
import { git, lfs } from './git.ts'
import { hubapi, chunk } from './hub.ts'
import { oidc } from './oidc.ts'
import { security } from './security.ts'
import { server, database } from './server.ts'
import { storage } from './storage.ts'
import { telemetry } from './telemetry.ts'
import { jobs, gc, repos, scan } from './upkeep.ts'
import { upstreams, pull } from './upstreams.ts'
import { viewer } from './viewer.ts'

const tree = z.strictObject({
  server,
  database,
  storage,
  upstreams,
  pull,
  git,
  lfs,
  hubapi,
  chunk,
  jobs,
  gc,
  repos,
  security,
  oidc,
  scan,
  viewer,
  telemetry,
})

/** The whole configuration, declared once; the environment names, the reference and the checks are read off it. */
export const Config = rules.reduce(
  (schema, rule) =>
    schema.refine(rule.holds, { path: rule.key.split('.'), error: rule.otherwise, when: () => true }),
  tree,
)

/** The checked configuration: durations in milliseconds (`Ms`), sizes in bytes (`Bytes`). */
export type Config = z.output<typeof tree> & {
  /** What set each key that has no default value, such as `environment variable SERVICE_SERVER_LISTEN`. */
  sources?: Readonly<Record<string, string>>
}
