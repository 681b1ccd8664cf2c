import { isIP } from 'node:net'
import { Cron } from 'croner'

/*
 * Checks of single values. Each answers what is wrong, in words that follow the value, or nothing.
 */

export function cidrFault(range: string): string | undefined {
  const [address = '', bits, ...rest] = range.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return 'is not an address range (such as 10.0.0.0/8)'
  if (bits === undefined) return undefined
  const widest = version === 4 ? 32 : 128
  return /^\d{1,3}$/.test(bits) && Number(bits) <= widest
    ? undefined
    : `needs a prefix length from 0 to ${widest}`
}

const purposes = ['webhook', 'upstream', 'oidc', 'viewer', 'audit']

export function outboundFault(rule: string): string | undefined {
  const [purpose = '', range, ...rest] = rule.split('=')
  if (range === undefined || rest.length > 0 || !purposes.includes(purpose)) {
    return `is not <purpose>=<range> with a purpose of ${purposes.join(', ')}`
  }
  return cidrFault(range)
}

export function windowFault(window: string): string | undefined {
  const time = '([01]\\d|2[0-3]):[0-5]\\d'
  return new RegExp(`^${time}-(${time}|24:00)$`).test(window)
    ? undefined
    : 'is not a time window (such as 01:00-07:00)'
}

export function listenFault(address: string): string | undefined {
  const parts = /^(\[[0-9a-fA-F:.]+\]|[^:[\]\s]*):(\d{1,5})$/.exec(address)
  return parts && Number(parts[2]) <= 65_535
    ? undefined
    : 'is not a listen address (such as :8080 or 127.0.0.1:8080)'
}

export function timezoneFault(name: string): string | undefined {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return 'is not an IANA time zone (such as Europe/London)'
    throw error
  }
}

export function scheduleFault(pattern: string): string | undefined {
  if (pattern.trim().split(/\s+/).length !== 5) return 'is not a five-field cron schedule (such as 0 3 * * *)'
  try {
    new Cron(pattern, { paused: true, mode: '5-part' })
    return undefined
  } catch (error) {
    return `is not a cron schedule (${error instanceof Error ? error.message : String(error)})`
  }
}

export function instanceKeyFault(key: string): string | undefined {
  return /^[A-Za-z0-9+/]{43}=$/.test(key)
    ? undefined
    : 'must be 32 bytes in base64 (make one: openssl rand -base64 32)'
}

/** `origin`: nothing after the host and port. */
export function urlFault(url: string, shape: 'origin' | 'any' = 'any'): string | undefined {
  if (!URL.canParse(url)) return 'is not a URL (such as https://models.example.com)'
  const { protocol, username, password, pathname, search, hash } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') return 'must begin with http:// or https://'
  if (username || password || search || hash) return 'must not hold a user name, a query or a fragment'
  return shape === 'origin' && pathname !== '/'
    ? 'must not have a path: hub clients expect the root of a host'
    : undefined
}

/** A URL, or a path below `server.public_url`. Its path must be one that routes can be written for, outside the API. */
export function casUrlFault(url: string): string | undefined {
  const fault = url.startsWith('/') ? undefined : urlFault(url)
  if (fault) return fault
  const path = url.replace(/^https?:\/\/[^/]*/i, '')
  if (!/^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*\/?$/.test(path))
    return 'must have a path of letters, digits and - _ . ~ alone, such as /chunk-cas'
  return /^\/api(\/|$)/.test(path) ? 'must not lie below /api' : undefined
}

/** Host with optional port, after `http://` or `https://` or neither. */
export function endpointFault(endpoint: string): string | undefined {
  const url = /^https?:\/\//i.test(endpoint) ? endpoint : `https://${endpoint}`
  return urlFault(url, 'origin') === undefined && new URL(url).hostname !== ''
    ? undefined
    : 'is not a host with an optional port (such as minio.example.com:9000 or http://minio:9000)'
}

/** Bucket naming rules, Amazon S3 User Guide. */
export function bucketFault(name: string): string | undefined {
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)
    ? undefined
    : 'is not a bucket name: 3 to 63 of a-z, 0-9, dots and hyphens, beginning and ending with a letter or digit'
}

/** The beginning of object names that every server takes, with or without slashes around it. */
export function prefixFault(prefix: string): string | undefined {
  return prefix.length <= 200 && /^\/?[\w-][\w.-]*(\/[\w-][\w.-]*)*\/?$/.test(prefix)
    ? undefined
    : 'is not a key prefix: names of letters, digits and - _ . with slashes between them, such as hub/blobs'
}
