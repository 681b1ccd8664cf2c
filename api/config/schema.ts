import { z } from 'zod'
import * as checks from './checks.ts'
import { bool, duration, each, int, list, secret, size, text } from './makers.ts'
import { rules } from './rules.ts'

const hour = 3_600_000

/** A check of a value that may be left empty. */
function unlessEmpty(says: (value: string) => string | undefined) {
  return (value: string, c: z.core.$RefinementCtx) => {
    const wrong = value === '' ? undefined : says(value)
    if (wrong) c.addIssue(`"${value}" ${wrong}`)
  }
}

/** Like `unlessEmpty`, without repeating the value. */
function secretly(says: (value: string) => string | undefined) {
  return (value: string, c: z.core.$RefinementCtx) => {
    const wrong = value === '' ? undefined : says(value)
    if (wrong) c.addIssue(wrong)
  }
}

function section<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape).prefault({} as never)
}

const url = (shape?: 'origin') => unlessEmpty((v) => checks.urlFault(v, shape))

const server = section({
  public_url: text('')
    .superRefine(url('origin'))
    .transform(withoutSlash)
    .meta({ kind: 'string', shown: 'empty' })
    .describe('Required. The URL clients use; redirects, LFS links and git URLs are built from it.'),
  listen: text(':8080').superRefine(unlessEmpty(checks.listenFault)).describe('HTTP listen address.'),
  role: text('all', ['all', 'web', 'worker']).describe(
    'What this process does: `all`, `web` or `worker`. SQLite needs `all`.',
  ),
  data_dir: text('/var/lib/service').describe(
    'Local state: the SQLite lock file and the generated `secrets.yaml`.',
  ),
  trusted_proxies: list()
    .superRefine(each(checks.cidrFault))
    .describe('CIDR ranges of reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted.'),
  max_request_body: size('64MiB', { min: 1 }).describe(
    'Body limit of endpoints that buffer the body. Streaming endpoints have no limit apart from quotas.',
  ),
  shutdown_timeout: duration('30s').describe(
    'How long requests in flight may take to finish on SIGTERM; longer downloads are cut.',
  ),
  timezone: text('UTC')
    .superRefine(unlessEmpty(checks.timezoneFault))
    .describe('IANA time zone of pull windows and schedules.'),
})

const database = section({
  driver: text('sqlite', ['sqlite', 'postgres']).describe('`sqlite` or `postgres`.'),
  dsn: text('/var/lib/service/service.db').describe('Path of the SQLite file, or a `postgres://` URL.'),
  max_open_conns: int(20, { min: 1 }).describe('Most open connections per process.'),
})

const storage = section({
  backend: text('fs', ['fs', 's3']).describe('Where large objects, git data and uploads lie: `fs` or `s3`.'),
  fs: section({ path: text('/var/lib/service/blobs').describe('Root folder.') }),
  s3: section({
    endpoint: text('')
      .superRefine(unlessEmpty(checks.endpointFault))
      .meta({ kind: 'string', shown: "the store vendor's standard endpoint" })
      .describe(
        'Host with optional port. An `https://` or `http://` prefix chooses the scheme; HTTPS without one.',
      ),
    region: text('eu-west-2').describe('Region of the bucket.'),
    bucket: text('service').superRefine(unlessEmpty(checks.bucketFault)).describe('Name of the bucket.'),
    prefix: text('').superRefine(unlessEmpty(checks.prefixFault)).describe('Key prefix in the bucket.'),
    access_key_id: text('').describe('Access key id; empty uses the default credential chain.'),
    secret_access_key: secret('').describe('Secret access key.'),
    use_path_style: bool(false).describe('Address the bucket in the path.'),
    download_mode: text('redirect', ['redirect', 'proxy']).describe(
      '`redirect` sends clients to presigned URLs; `proxy` streams through the service.',
    ),
    upload_mode: text('direct', ['direct', 'proxy']).describe(
      '`direct` gives clients presigned upload URLs; `proxy` uploads through the service.',
    ),
    presign_ttl: duration('1h', { min: 1000, max: 168 * hour }).describe(
      'Lifetime of presigned download URLs.',
    ),
    retries: int(5).describe(
      'Retries of a failed part or object upload, with growing waits; part bodies are spooled to the temporary folder. 0 turns retries off.',
    ),
    startup_wait: duration('5m').describe(
      'How long to keep trying to reach the bucket at start before exiting; `/readyz` answers 503 meanwhile. 0 exits at once.',
    ),
    stall_timeout: duration('2m', { min: 1000 }).describe(
      'How long a request to the store may go without data or answer before it is cancelled and, for uploads, retried.',
    ),
  }),
})

const upstreams = z
  .record(
    z.string().regex(/^[a-z0-9]+$/, 'an upstream id is made of a-z and 0-9'),
    section({
      base_url: text('')
        .superRefine(url())
        .transform(withoutSlash)
        .meta({ kind: 'string', shown: "the public hub's address for the built-in `huggingface`" })
        .describe("Base URL of the Upstream's hub API."),
      enabled: bool(true).describe('Whether users can discover and pull from it.'),
      token: secret('').describe('Instance token, used when the user has saved none.'),
      namespace_prefix: text('').describe(
        'Prefix of mirror Namespaces of this Upstream. Prefixed mirrors no longer work as drop-in endpoint replacements.',
      ),
      viewer_url: text('')
        .superRefine(url())
        .transform(withoutSlash)
        .meta({ kind: 'string', shown: 'empty' })
        .describe('Dataset viewer URL; empty is the base URL with a dataset-server label added to the host.'),
    }),
  )
  .prefault({})

const pull = section({
  bandwidth_limit: size('0').describe('Bytes per second across the instance; 0 is unlimited.'),
  concurrency: int(4, { min: 1 }).describe('Files transferred at once across the instance.'),
  windows: list()
    .superRefine(each(checks.windowFault))
    .describe(
      'Times when transfers may run, such as `01:00-07:00`, in `server.timezone`; empty is any time.',
    ),
  pull_through: section({
    enabled: bool(false).describe('Turns Pull-through on.'),
    allow: list(['*']).describe('Globs of upstream Repo ids that may be pulled through.'),
    min_role: text('user', ['anonymous', 'user']).describe('Who may trigger it: `anonymous` or `user`.'),
  }),
  dependencies: section({
    auto_pull_code: bool(true).describe('Pull code Dependencies (from `auto_map`) automatically.'),
    auto_pull_base_models: bool(false).describe('Pull the base model of adapters automatically.'),
    max_depth: int(5).describe('Greatest depth of recursive Dependency Pulls.'),
  }),
})

const git = section({
  max_blob_size: size('10MiB', { min: 1 }).describe(
    'Largest file outside LFS that a push or Commit may hold.',
  ),
  max_pack_size: size('2GiB', { min: 1 }).describe('Largest pack accepted on push.'),
  allow_force_push: bool(false).describe(
    'Allow force-pushing default branches. Namespace admins always can.',
  ),
  compact_threshold: int(20, { min: 2 }).describe("Compact a Repo's packs above this many live packs."),
  pack_grace_period: duration('1h').describe(
    'How long retired packs are kept; must exceed the longest request.',
  ),
  cache_dir: text('/var/cache/service/git').describe('Disposable local pack cache.'),
  cache_size: size('10GiB', { min: 1 }).describe('Size limit of the pack cache.'),
  timeout: duration('1h', { min: 1000 }).describe('Wall-clock limit of one git operation.'),
})

const lfs = section({
  multipart_threshold: size('64MiB', { min: 1 }).describe(
    'Larger objects use multipart uploads when the client supports them.',
  ),
  upload_url_ttl: duration('24h', { min: 1000 }).describe('Lifetime of signed upload URLs.'),
  verify_wait: duration('10m').describe(
    'How long a Commit waits for an LFS object that is still being verified.',
  ),
})

const hubapi = section({
  regular_upload_max: size('10MiB').describe(
    'Preupload answers `regular` below this size unless `.gitattributes` says LFS.',
  ),
  chunk: text('ingest', ['ingest', 'reject']).describe(
    '`ingest` accepts chunk-deduplicated uploads; `reject` turns them off.',
  ),
  default_namespace: text('').describe(
    'Namespace that single-segment Repo ids redirect to; empty turns the redirect off.',
  ),
})

const chunk = section({
  cas_url: text('')
    .superRefine(unlessEmpty(checks.casUrlFault))
    .transform(withoutSlash)
    .meta({ kind: 'string', shown: 'empty' })
    .describe(
      'URL of the content-addressed endpoints, or a path below `server.public_url`; empty is `/chunk-cas`. Another one makes clients forget what they believe to be stored.',
    ),
  // Clients ask for the next one 60 s before the end, so a shorter one would be asked for at every call.
  token_ttl: duration('1h', { min: 300_000 }).describe('Lifetime of write tokens, at least 5m.'),
  xorb_retention: duration('672h').describe(
    "How long chunk containers are kept after last use; keep it longer than the client's 21-day shard cache.",
  ),
  max_file_size: size('50GiB', { min: 1 }).describe(
    'Largest file one upload may describe. One shard may rebuild at most four times this, counting only files not uploaded before; larger uploads get 413.',
  ),
})

const security = section({
  instance_key: secret('')
    .superRefine(secretly(checks.instanceKeyFault))
    .describe(
      '32-byte base64 key that encrypts stored secrets and signs URLs; generated on first start if empty.',
    ),
  anonymous_read: bool(false).describe(
    'Anonymous users may read public Repos and see user and Organisation profiles.',
  ),
  registration: text('closed', ['open', 'invite', 'closed']).describe(
    'Who can create an account: `open`, `invite` or `closed`.',
  ),
  local_login: bool(true).describe(
    'Show the username and password form. The bootstrap admin can always sign in at `/auth/login?local=1`.',
  ),
  session_ttl: duration('720h', { min: 1000 }).describe('Lifetime of a UI session.'),
  bootstrap_admin: section({
    username: text('service-admin').describe('Username of the bootstrap admin.'),
    password: secret('').describe(
      'Password; generated on first start if empty and no `password_file` is set.',
    ),
    password_file: text('').describe('File that holds the password of the bootstrap admin.'),
    email: text('').describe('Email of the bootstrap admin.'),
  }),
  rate_limit: bool(false).describe('Limit API calls per Token, user or IP address.'),
  outbound_allow: list()
    .superRefine(each(checks.outboundFault))
    .describe(
      'Private address ranges that outgoing requests may reach, as `purpose=CIDR`; purposes `webhook`, `upstream`, `oidc`, `viewer`.',
    ),
})

const claims = section({
  username: text('preferred_username'),
  email: text('email'),
  name: text('name'),
  groups: text('groups'),
}).meta({ kind: 'map of strings', shown: 'preferred_username, email, name, groups' })

const provider = z.strictObject({
  id: text()
    .superRefine(unlessEmpty((v) => (/^[a-z0-9-]+$/.test(v) ? undefined : 'may hold a-z, 0-9 and - alone')))
    .describe('Stable provider id used in callback URLs.'),
  name: text().describe('Name on the sign-in button.'),
  issuer: text().superRefine(url()).describe('Issuer URL used for discovery.'),
  client_id: text().describe('OAuth client id.'),
  client_secret: secret('').describe('OAuth client secret; empty for public clients.'),
  scopes: list(['openid', 'profile', 'email']).describe('Scopes to request.'),
  claims: claims.describe('Claim names for `username`, `email`, `name` and `groups`.'),
  admin_groups: list().describe('Members are instance admins; checked at every sign-in.'),
  org_mappings: z
    .array(
      z.strictObject({
        group: text().describe('Group claim value.'),
        org: text().describe('Organisation name.'),
        role: text('read', ['read', 'write', 'admin']).describe('`read`, `write` or `admin`.'),
      }),
    )
    .default([])
    .meta({ kind: 'list of objects', shown: 'empty' })
    .describe('Groups that grant Organisation Roles; checked at every sign-in.'),
  auto_create_users: bool(false).describe('Create a user on first sign-in.'),
})

const oidc = section({
  providers: z
    .array(provider)
    .default([])
    .meta({ kind: 'list of objects', shown: 'empty' })
    .describe(
      'External sign-in providers, shown as buttons; set in YAML, or as a JSON array in the environment variable.',
    ),
})

const viewer = section({
  enabled: bool(true).describe('Turns Parquet export and the viewer on.'),
  max_convert_bytes: size('5GiB').describe('Larger Splits get a partial Parquet export.'),
  max_scan_rows: int(5_000_000, { min: 1 }).describe(
    'Rows scanned by one filter or search request before partial results.',
  ),
  max_scan_seconds: duration('10s', { min: 1 }).describe(
    'Time limit of one filter or search request before partial results.',
  ),
  max_cell_bytes: size('100KiB', { min: 1 }).describe('Larger cells are truncated in responses.'),
  max_request_bytes: size('300000000', { min: 1 }).describe(
    'Decoded Parquet data one viewer request may hold; larger needs answer with an error.',
  ),
  convert_concurrency: int(1, { min: 1 }).describe('`dataset.convert` Jobs per worker.'),
})

const exporters = '`otlp` exports only when an OTLP endpoint is set'

const telemetry = section({
  service_name: text('service').describe('`service.name` resource attribute.'),
  environment: text('').describe('`deployment.environment.name` attribute; empty leaves it unset.'),
  traces: text('otlp', ['otlp', 'console', 'none']).describe(
    `\`otlp\`, \`console\` or \`none\`; ${exporters}. Ignored when \`OTEL_TRACES_EXPORTER\` is set.`,
  ),
  metrics: text('otlp', ['otlp', 'prometheus', 'console', 'none']).describe(
    `\`otlp\`, \`prometheus\`, \`console\` or \`none\`; ${exporters}. Ignored when \`OTEL_METRICS_EXPORTER\` is set.`,
  ),
  logs: text('otlp', ['otlp', 'console', 'none']).describe(
    `\`otlp\`, \`console\` or \`none\`; ${exporters}. Ignored when \`OTEL_LOGS_EXPORTER\` is set. Logs always go to stdout too.`,
  ),
  prometheus_listen: text(':9464')
    .superRefine(unlessEmpty(checks.listenFault))
    .describe('Address of the Prometheus `/metrics` endpoint when metrics is `prometheus`.'),
  log_format: text('json', ['json', 'text']).describe('Format of the log on stdout: `json` or `text`.'),
  log_level: text('info', ['debug', 'info', 'warn', 'error']).describe('`debug`, `info`, `warn` or `error`.'),
})

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
  jobs: section({
    workers: int(4, { min: 1 }).describe('Concurrent Jobs per worker process.'),
    lease: duration('1m', { min: 1000 }).describe('Lease of a claimed Job, renewed while it runs.'),
  }),
  gc: section({
    schedule: text('0 3 * * *')
      .superRefine(unlessEmpty(checks.scheduleFault))
      .describe('Five-field cron schedule of the `gc` Job.'),
    grace_period: duration('168h').describe('Unreferenced LFS objects are deleted after this long.'),
  }),
  repos: section({
    restore_window: duration('168h').describe('How long a deleted Repo can be restored before it is purged.'),
  }),
  security,
  oidc,
  scan: section({
    strict: bool(false).describe('Report files of pickle formats that the scan cannot read as unsafe.'),
  }),
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
export type Config = z.output<typeof tree>

function withoutSlash(value: string): string {
  return value.replace(/\/+$/, '')
}
