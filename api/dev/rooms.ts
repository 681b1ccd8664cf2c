/*
 * Which room may import which. A change of this table is a change of the house: review it as one.
 */

/** Floors of `api/`, from the ground up, each a folder of rooms. A room imports from the floors below it. */
export const floors = ['platform', 'stores', 'core', 'rooms', 'surfaces']

const room = new RegExp(`^api/(?:(?:${floors.join('|')})/)?([^/]+)/`)

/** The room of a file of `api/`; `undefined` for files that lie on no floor, such as `api/main.ts`. */
export const roomOf = (file: string): string | undefined => {
  const name = room.exec(file)?.[1]
  return name !== undefined && floors.includes(name) ? undefined : name
}

/** Imports between rooms of one floor. */
export const sideways: Record<string, string[]> = {
  flow: ['problems'],
  net: ['flow', 'telemetry'],
  telemetry: ['config'],
  scanning: ['parsers'],
  metadata: ['parsers'],
  git: ['lfs', 'jobs'],
  lfs: ['jobs', 'events', 'access'],
  // Their bytes are reserved, kept and discarded as all others are.
  images: ['lfs'],
  // Who may see a job, who did what, whose object it is: `access` decides, and needs none of them.
  jobs: ['access'],
  events: ['access', 'jobs'],
  // A signed address names a person and a repo: each use checks both again.
  uploads: ['repos', 'auth'],
  // A commit has what its sender put into the bucket verified, and waits for it.
  content: ['repos', 'uploads'],
  // A write token names a user and a repo; each use checks both again.
  chunk: ['uploads', 'repos', 'auth'],
  // What files say is read where a revision has them.
  facts: ['repos', 'content'],
  // Quants are read from the files of a repo's head.
  quants: ['repos', 'content', 'facts'],
  indexing: ['repos', 'content', 'facts'],
  // An export is landed as a commit is; its files are linked to the repo as large files are.
  datasets: ['repos', 'content', 'uploads'],
  scans: ['repos', 'content'],
  upstreams: [],
  // `arsenal doctor` asks the upstreams too, and how the stream of the audit log does.
  health: ['upstreams', 'admin'],
  // A pull goes on with the rights that its puller has by then; what came is read and scanned.
  mirrors: [
    'upstreams',
    'uploads',
    'content',
    'repos',
    'namespaces',
    'auth',
    'indexing',
    'scans',
    'datasets',
  ],
  discover: ['mirrors', 'datasets', 'upstreams', 'repos', 'quants', 'indexing', 'content', 'namespaces'],
  discussions: ['repos', 'content'],
  // An entry of the feed leads to a collection by its slug.
  activity: ['namespaces', 'collections'],
  search: ['repos', 'namespaces', 'collections'],
  admin: ['namespaces', 'auth', 'repos'],
  repos: ['namespaces'],
  collections: ['repos', 'namespaces'],
  // Each delivery checks again what the webhook's creator may see.
  webhooks: ['repos', 'namespaces', 'auth'],
  auth: ['namespaces'],
}

/** Files that count as the top floor wherever they lie, since they know HTTP: `routes.ts`, `lfs-handlers.ts`, … */
export const surfaceFile = /(^|[-/])(routes|schemas|handlers|view)\.ts$/

/** Those of them that the surface files of other rooms may use: a repo in a search result, a job in an answer. */
export const schemaFile = /(^|[-/])(routes|schemas|view)\.ts$/

/**
 * Entered directly: the way through the room's `index.ts` would lead back to `ctx.ts` (index → jobs → ctx → git).
 */
export const sideDoors = ['api/core/git/git.ts', 'api/core/events/publish.ts', 'api/core/lfs/pointer.ts']

/** Rooms that only `app.ts` mounts. */
export const mountedOnly = ['hub', 'smart-http', 'lfs-http', 'chunk-http', 'ollama', 'viewer']

/** Files of `api/` itself that only `main.ts`, `app/`, `dev/` and tests import. */
export const topFiles = ['app/app.ts', 'main.ts', 'testing.ts']

/** A vendor has one home: package pattern → the only places that may import it (path prefixes below `api/`, or file names). */
export const vendorHomes: { vendor: RegExp; homes: string[] }[] = [
  { vendor: /^@aws-sdk\//, homes: ['storage/s3/'] },
  { vendor: /^(pg|@libsql\/.*)$/, homes: ['db/'] },
  { vendor: /^(arctic|jose|oslo)(\/|$)/, homes: ['auth/'] },
  { vendor: /^(@zxcvbn-ts|@simplewebauthn)\//, homes: ['auth/'] },
  { vendor: /^@napi-rs\/blake-hash/, homes: ['chunk/'] },
  { vendor: /^@huggingface\/tasks/, homes: ['metadata/'] },
  // The configuration file and secrets.yaml are YAML as cards are.
  { vendor: /^yaml$/, homes: ['content/', 'config/', 'secrets/'] },
  { vendor: /^hyparquet/, homes: ['datasets/', 'parsers/'] },
  { vendor: /^(@duckdb\/|apache-arrow|fzstd$|image-size)/, homes: ['datasets/'] },
  {
    vendor: /^(hono|@hono\/.*)(\/|$)/,
    homes: [
      'http/',
      'server/',
      'hub/',
      'smart-http/',
      'lfs-http/',
      'chunk-http/',
      'ollama/',
      'viewer/',
      'routes.ts',
      'schemas.ts',
      'handlers.ts',
      'view.ts',
      'app.ts',
    ],
  },
  { vendor: /^(pino|@opentelemetry\/.*)(\/|$)/, homes: ['telemetry/'] },
  // A schedule is checked where it is read, before any room is open.
  { vendor: /^croner$/, homes: ['jobs/', 'config/'] },
]
