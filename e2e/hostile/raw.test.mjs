import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTarget } from './target.mjs'
import { answerOn, dial } from './wire.mjs'

let target

before(async () => {
  target = await openTarget()
})
after(() => target?.stop())

async function say(text) {
  const socket = await dial(target.port)
  const answer = answerOn(socket, 10_000)
  socket.write(text, 'latin1')
  return answer
}

const get = (...headers) => ['GET /healthz HTTP/1.1', ...headers, '', ''].join('\r\n')
const post = (...headers) =>
  [
    'POST /api/service/v1/auth/login HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    ...headers,
    '',
    '{}',
  ].join('\r\n')

const cases = [
  ['two Host headers', get('Host: x', 'Host: y'), 'invalid-request'],
  ['no Host header', get('Accept: */*', 'Connection: close'), 'invalid-request'],
  ['a length and a coding', post('Content-Length: 2', 'Transfer-Encoding: chunked'), 'invalid-request'],
  ['two lengths', post('Content-Length: 2', 'Content-Length: 3'), 'invalid-request'],
  ['a length with a sign', post('Content-Length: +2'), 'invalid-request'],
  ['what is no HTTP', 'hello\r\n\r\n', 'invalid-request'],
  ['a header without a name', get('Host: x', ': y'), 'invalid-request'],
  ['20 KiB of headers', get('Host: x', `X-Long: ${'x'.repeat(20_000)}`), 'headers-too-large'],
  ['an address of 20 KiB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 'headers-too-large'],
]

for (const [what, text, code] of cases)
  test(`${what}: a problem document`, async () => {
    const { status, head, body, isClosed } = await target.withstand(() => say(text))
    const document = JSON.parse(body)
    assert.equal(document.code, code)
    assert.equal(document.status, status)
    assert.match(document.type, new RegExp(`/problems/${code}$`))
    assert.match(head, /content-type: application\/problem\+json/i)
    assert.match(head, new RegExp(`x-request-id: ${document.request_id}`, 'i'))
    assert.ok(isClosed)
  })
