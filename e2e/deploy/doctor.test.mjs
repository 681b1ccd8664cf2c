// `arsenal doctor` through Debian's nginx: with the configuration of deploy/, and with nginx as it comes.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort, runCli, startServer } from '../fixtures/server.mjs'
import { bareNginx, nginxOfCompose } from './front.mjs'

const dir = mkdtempSync(join(tmpdir(), 'arsenal-doctor-'))
after(() => rmSync(dir, { recursive: true, force: true }))

/** What the doctor finds of a server whose address is the proxy's. */
async function findings(start, settings) {
  const port = await freePort()
  const server = await startServer({ 'server.public_url': `http://127.0.0.1:${port}`, ...settings })
  const proxy = await start({
    dir: mkdtempSync(join(dir, 'nginx-')),
    port,
    target: `127.0.0.1:${server.port}`,
  })
  try {
    const printed = await server.cli(['doctor', '--json']).then(
      (stdout) => ({ code: 0, stdout }),
      ({ code, stdout }) => ({ code, stdout }),
    )
    const found = printed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    return { code: printed.code, of: (check) => found.filter((finding) => finding.check === check), found }
  } finally {
    await proxy.stop()
    await server.stop()
  }
}

test('behind the nginx of deploy/ a request arrives as it was sent', async () => {
  const { of } = await findings(nginxOfCompose, { 'server.trusted_proxies': '127.0.0.1/32' })
  assert.deepEqual(
    of('public address').map(({ status }) => status),
    ['ok'],
  )
  assert.equal(of('store')[0].status, 'ok')
  assert.equal(of('database')[0].status, 'ok')
})

test('what nginx does by default is found, with its fix', async () => {
  const { code, of } = await findings(bareNginx, {})
  const found = of('public address')
  assert.equal(code, 1)
  const text = JSON.stringify(found)
  assert.match(text, /decodes %2F/)
  assert.match(text, /client_max_body_size/)
  assert.match(text, /server\.trusted_proxies/)
  assert.match(text, /proxy_buffering off/)
  assert.match(text, /proxy_request_buffering off/)
  assert.ok(found.every(({ status, fix }) => status !== 'ok' && fix))
})

test('curl sees what of its request arrived, without its token', async () => {
  const server = await startServer()
  try {
    const auth = 'Authorization: Bearer hf_asl_wrong'
    const printed = execFileSync('curl', ['-sS', '-H', auth, `${server.url}/-/doctor`]).toString()
    const { client, auth: seen } = JSON.parse(printed)
    assert.equal(client.name, 'curl')
    assert.equal(seen.accepted, false)
    assert.ok(!printed.includes('hf_asl_wrong'))
  } finally {
    await server.stop()
  }
})

test('without a configuration the doctor ends with 2', async () => {
  await assert.rejects(runCli(['doctor', '--set', 'jobs.workers=0']), ({ code }) => code === 2)
})
