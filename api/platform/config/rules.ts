/** A rule between keys. It is checked even when some keys are faulty, so that every fault shows at the first start. */
export interface Rule {
  /** The key that the fault is reported under. */
  key: string
  holds(config: unknown): boolean
  otherwise: string
}

/** Holds also when one of the two is faulty itself: that fault is reported already. */
function atLeast(key: string, floor: string, factor = 1): Rule {
  return {
    key,
    holds: (config) => {
      const [value, least] = [at(config, key), at(config, floor)]
      return typeof value !== 'number' || typeof least !== 'number' || value >= least * factor
    },
    otherwise: `must be at least ${factor === 1 ? '' : `${factor} × `}${floor}`,
  }
}

export const rules: Rule[] = [
  {
    key: 'server.public_url',
    holds: (c) => at(c, 'server.public_url') !== '',
    otherwise: 'required: the URL that clients use, such as https://models.example.com',
  },
  {
    key: 'server.role',
    holds: (c) =>
      at(c, 'database.driver') !== 'sqlite' || ['all', undefined].includes(at(c, 'server.role') as string),
    otherwise: 'must be all with database.driver sqlite; several processes need postgres',
  },
  {
    key: 'database.dsn',
    holds: (c) => at(c, 'database.driver') !== 'postgres' || isPostgres(at(c, 'database.dsn')),
    otherwise: 'must be a postgres:// URL with database.driver postgres',
  },
  {
    key: 'database.dsn',
    holds: (c) => at(c, 'database.driver') !== 'sqlite' || !isPostgres(at(c, 'database.dsn')),
    otherwise: 'is a postgres:// URL, but database.driver is sqlite',
  },
  {
    key: 'database.max_open_conns',
    holds: (c) => at(c, 'database.driver') !== 'postgres' || at(c, 'database.max_open_conns') !== 1,
    otherwise:
      'must be at least 2 with database.driver postgres: one connection brings news of other servers',
  },
  {
    key: 'storage.s3.bucket',
    holds: (c) => at(c, 'storage.backend') !== 's3' || at(c, 'storage.s3.bucket') !== '',
    otherwise: 'required with storage.backend s3',
  },
  {
    key: 'storage.s3.secret_access_key',
    holds: (c) =>
      (at(c, 'storage.s3.access_key_id') === '') === (at(c, 'storage.s3.secret_access_key') === ''),
    otherwise: 'must be set together with storage.s3.access_key_id, or neither of them',
  },
  {
    key: 'security.bootstrap_admin.password_file',
    holds: (c) =>
      !at(c, 'security.bootstrap_admin.password') || !at(c, 'security.bootstrap_admin.password_file'),
    otherwise: 'must be empty when security.bootstrap_admin.password is set',
  },
  {
    key: 'upstreams',
    holds: (c) => records(at(c, 'upstreams')).every((upstream) => at(upstream, 'base_url') !== ''),
    otherwise: 'every upstream needs a base_url',
  },
  {
    key: 'upstreams',
    holds: (c) => allDifferent(Object.keys(recordAt(c, 'upstreams')).map((id) => id.replaceAll('-', '_'))),
    otherwise: 'two ids differ in - and _ alone, which environment variables cannot tell apart; rename one',
  },
  {
    key: 'oidc.providers',
    holds: (c) => allDifferent(records(at(c, 'oidc.providers')).map((provider) => at(provider, 'id'))),
    otherwise: 'two providers have the same id',
  },
  atLeast('git.pack_grace_period', 'git.timeout'),
  atLeast('git.cache_size', 'git.max_pack_size', 2),
  atLeast('gc.grace_period', 'lfs.upload_url_ttl'),
  atLeast('git.max_blob_size', 'hubapi.regular_upload_max'),
]

/** The value under a dotted key of something that may be malformed anywhere. */
function at(config: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), config)
}

function recordAt(config: unknown, key: string): Record<string, unknown> {
  const value = at(config, key)
  return isRecord(value) ? value : {}
}

function records(value: unknown): unknown[] {
  return isRecord(value) ? Object.values(value) : []
}

function allDifferent(values: unknown[]): boolean {
  return new Set(values).size === values.length
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isPostgres(dsn: unknown): boolean {
  return typeof dsn === 'string' && /^postgres(ql)?:\/\//.test(dsn)
}
