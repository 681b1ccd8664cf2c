import * as checks from '../checks.ts'
import { bool, duration, each, int, list, size, text } from '../makers.ts'
import { section, unlessEmpty, url, withoutSlash } from './section.ts'

export const server = section({
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
  direct_io: bool(true).describe(
    "Reads large bodies from sockets and disks around Node's streams, for half of the CPU time or less. Turn it off if a version of Node misbehaves.",
  ),
  shutdown_timeout: duration('30s').describe(
    'How long requests in flight may take to finish on SIGTERM; longer downloads are cut.',
  ),
  shutdown_delay: duration('0s').describe(
    'How long requests are still taken after SIGTERM, while `/readyz` answers 503: until the load balancer has noticed.',
  ),
  timezone: text('UTC')
    .superRefine(unlessEmpty(checks.timezoneFault))
    .describe('IANA time zone of pull windows and schedules.'),
})

export const database = section({
  driver: text('sqlite', ['sqlite', 'postgres']).describe('`sqlite` or `postgres`.'),
  dsn: text('/var/lib/service/service.db').describe('Path of the SQLite file, or a `postgres://` URL.'),
  max_open_conns: int(20, { min: 1 }).describe(
    'Most open connections per process; at least 2 with Postgres, where one of them brings news of other servers.',
  ),
})
