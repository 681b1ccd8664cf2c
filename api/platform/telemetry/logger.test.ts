import { describe, expect, test } from 'vitest'
import { createLogger, type LoggerOptions } from './index.ts'

function capture(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = []
  const log = createLogger({ level: 'debug', format: 'json', ...options, write: (line) => lines.push(line) })
  return { log, lines }
}

describe('no secret reaches a line', () => {
  const canary = 'c4nary"\\+/= secret'

  test.each(['json', 'text'] as const)('wherever a configured value appears (%s)', (format) => {
    const { log, lines } = capture({ format, secrets: [canary, ''] })
    log.info({ nested: { deep: [canary] } }, `started with ${canary}`)
    log.error({ err: new Error(`denied for ${canary}`, { cause: new Error(canary) }) }, 'failed')
    log.warn({ url: `/x?q=${encodeURIComponent(canary)}` })
    expect(lines).toHaveLength(3)
    expect(lines.join('')).not.toContain('c4nary')
    expect(lines.join('')).toContain('[redacted]')
  })

  test.each([
    ['an Authorization header', { headers: { authorization: 'Bearer c4nary' } }],
    ['another header that carries one', { headers: { 'proxy-authorization': 'c4nary' } }],
    ['a header inside a text', { note: 'sent Authorization: Basic c4nary==' }],
    [
      'cookies',
      { headers: { cookie: 'a=b; service_session=c4nary', 'set-cookie': 'service_session=c4nary' } },
    ],
    ['a cookie inside a text', { note: 'got service_session=c4nary; Path=/' }],
    ['our signed URL', { url: '/lfs/ab?exp=1&sig=c4nary&size=5' }],
    ['a presigned URL', { url: 'https://s3.test/b/k?X-Amz-Credential=c4nary%2F1&X-Amz-Signature=c4nary' }],
    ['an access token', { note: 'token hf_asl_c4naryc4nary was refused' }],
    ['a password field', { body: { new_password: 'c4nary', current_password: 'c4na\\"c4nary' } }],
    ['the password of an address', { dsn: 'postgres://user:c4nary@db/arsenal' }],
  ])('in %s', (_, fields) => {
    const { log, lines } = capture()
    log.info(fields, 'request')
    expect(lines.join('')).not.toContain('c4nary')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: 'request' })
  })

  test('in the bound values of a failed query', () => {
    const { log, lines } = capture()
    log.error({ err: new Error('Failed query: select 1\nparams: c4nary,\nc4nary') })
    expect(lines.join('')).not.toContain('c4nary')
    expect(lines[0]).toContain('select 1')
  })
})

test('a JSON line holds time, level, message and the fields of its context', () => {
  const { log, lines } = capture()
  log.child({ request_id: 'r1' }).warn({ status: 503 }, 'slow')
  const line = JSON.parse(lines[0] ?? '') as Record<string, unknown>
  expect(line).toEqual({
    level: 'warn',
    time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    request_id: 'r1',
    status: 503,
    msg: 'slow',
  })
})

test('a text line is for people, with the causes of an error below', () => {
  const { log, lines } = capture({ format: 'text' })
  log.error({ err: new Error('outer', { cause: new Error('inner') }), repo: 'a/b' }, 'commit failed')
  expect(lines[0]).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} ERROR commit failed {2}repo=a\/b\n {2}Error: outer\n[\s\S]*Error: inner/,
  )
})

test('levels below the configured one are silent', () => {
  const { log, lines } = capture({ level: 'warn' })
  log.info('unseen')
  log.warn('seen')
  expect(lines).toHaveLength(1)
})
