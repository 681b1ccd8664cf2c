// A web and a worker process on one Postgres, and a collector of OpenTelemetry to which both report.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { startOtelcol } from '../../api/dev/toolchain/otelcol.mjs'
import { startPostgres } from '../../api/dev/toolchain/postgres.mjs'
import { startServer } from '../fixtures/server.mjs'
import { named, openSink } from './sink.mjs'

const exec = promisify(execFile)
const canary = `c4nary${randomBytes(12).toString('hex')}`
let folder, sink, collector, postgres, web, worker, person, secrets

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'arsenal-telemetry-'))
  sink = await openSink()
  collector = await startOtelcol(process.env.ARSENAL_OTELCOL, sink.url)
  postgres = await startPostgres()
  const settings = {
    'database.driver': 'postgres',
    'database.dsn': postgres.url,
    'storage.fs.path': join(folder, 'blobs'),
    'security.instance_key': randomBytes(32).toString('base64'),
    'server.trusted_proxies': '127.0.0.1/32',
    'telemetry.service_name': 'overruled',
    'telemetry.environment': 'tests',
    'telemetry.log_level': 'debug',
    'storage.s3.access_key_id': 'key',
    'storage.s3.secret_access_key': canary,
  }
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_SERVICE_NAME: 'arsenal-tests',
    OTEL_BSP_SCHEDULE_DELAY: '200',
    OTEL_BLRP_SCHEDULE_DELAY: '200',
    OTEL_METRIC_EXPORT_INTERVAL: '500',
    PATH: `${await gitThatTells()}${delimiter}${process.env.PATH}`,
  }
  web = await startServer({ ...settings, 'server.role': 'web' }, { env })
  const beside = { 'server.role': 'worker', 'server.public_url': web.url }
  const workerEnv = { ...env, OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,team=ml' }
  worker = await startServer({ ...settings, ...beside }, { env: workerEnv })
  person = await web.login()
  secrets = { token: await person.token(), password: 'correct horse battery staple', canary }
  await person.native('POST', '/repos', { type: 'model', ns: person.username, name: 'traced' })
})
after(async () => {
  await worker?.stop()
  await web?.stop()
  await postgres?.stop()
  await collector?.stop()
  await sink?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A `git` before the real one, which writes down what it was given of the trace. */
async function gitThatTells() {
  const { stdout } = await exec('sh', ['-c', 'command -v git'])
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const script = `#!/bin/sh\nfor a in "$@"; do case "$a" in index-pack|upload-pack|unpack-objects) c=$a;; esac; done\n[ -n "$c" ] && echo "$c $TRACEPARENT" >> ${join(folder, 'gits')}\nexec ${stdout.trim()} "$@"\n`
  await writeFile(join(bin, 'git'), script)
  await chmod(join(bin, 'git'), 0o755)
  return bin
}

async function git(args, parent) {
  const url = new URL(web.url)
  const rewritten = args.map((arg) =>
    arg === 'ORIGIN'
      ? `http://${person.username}:${secrets.token}@${url.host}/${person.username}/traced`
      : arg,
  )
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: folder }
  return exec('git', ['-c', `http.extraHeader=traceparent: ${parent}`, ...rewritten], { cwd: folder, env })
}

const newTrace = () => randomBytes(16).toString('hex')
const parentOf = (trace) => `00-${trace}-${randomBytes(8).toString('hex')}-01`
const rolesOf = (spans) => new Set(spans.map(({ resource }) => resource['arsenal.role']))

/** Waits until each span hangs below another of its trace, or the caller's: those above end, and arrive, last. */
async function untilOneTree(mine, parent) {
  const strays = () => {
    const ids = new Set([parent.split('-')[2], ...mine().map(({ spanId }) => spanId)])
    return mine().filter(({ parentSpanId }) => !ids.has(parentSpanId))
  }
  await sink.until('what spans hang below', () => strays().length === 0)
}

test('a push is one trace over web, git and worker', async () => {
  const trace = newTrace()
  const parent = parentOf(trace)
  await git(['init', '-q', '-b', 'main', 'work'], parent)
  const work = join(folder, 'work')
  await writeFile(join(work, 'README.md'), '---\nlicense: mit\n---\n# traced\n')
  // Small pushes are read without a git; large ones are taken in by one.
  await writeFile(join(work, 'large.bin'), randomBytes(6 * 1024 * 1024))
  const as = ['-c', 'user.name=a', '-c', 'user.email=a@b.example']
  await exec('git', ['add', '.'], { cwd: work })
  await exec('git', [...as, 'commit', '-qm', 'first'], { cwd: work })
  await git(['-C', 'work', 'push', '-q', '-f', 'ORIGIN', 'HEAD:main'], parent)

  const mine = () => sink.spans.filter(({ traceId }) => traceId === trace)
  const has = (pattern) => mine().some(({ name }) => pattern.test(name))
  await sink.until('a push', () => has(/^arsenal\.git\.receive_pack$/) && has(/^POST .*git-receive-pack$/))
  await sink.until('the job of a push', () => has(/^arsenal\.job\.repo\.index$/))
  await sink.until('a git', () => has(/^arsenal\.git\.(index-pack|unpack-objects)$/))
  await sink.until(
    'the store and the database',
    () => has(/^arsenal\.blob\.put$/) && has(/^arsenal\.db\.write$/),
  )
  const index = await sink.until('the end of the job', () =>
    mine().find(({ name }) => name === 'arsenal.job.repo.index'),
  )
  assert.equal(index.resource['arsenal.role'], 'worker')
  // `OTEL_RESOURCE_ATTRIBUTES` adds to the keys, and wins over them.
  assert.equal(index.resource['deployment.environment.name'], 'staging')
  assert.equal(index.resource['team'], 'ml')
  assert.deepEqual(rolesOf(mine()), new Set(['web', 'worker']))
  await untilOneTree(mine, parent)

  const gits = (await readFile(join(folder, 'gits'), 'utf8')).split('\n')
  const told = gits.find((line) => line.startsWith('index-pack ') && line.includes(trace))
  const span = told?.split('-').at(-2)
  assert.ok(mine().some(({ spanId, name }) => spanId === span && name.startsWith('arsenal.git.')))
})

test('a clone is one trace over web and git', async () => {
  const trace = newTrace()
  const parent = parentOf(trace)
  await git(['clone', '-q', 'ORIGIN', 'clone'], parent)
  const mine = () => sink.spans.filter(({ traceId }) => traceId === trace)
  const has = (pattern) => mine().some(({ name }) => pattern.test(name))
  await sink.until('a clone', () => has(/^arsenal\.git\.upload_pack$/) && has(/^POST .*git-upload-pack$/))
  await sink.until('a git', () => has(/^arsenal\.git\.upload-pack$/))
  await untilOneTree(mine, parent)
})

test('logs belong to their request and its trace', async () => {
  const trace = newTrace()
  const answer = await fetch(`${web.url}/api/models/${person.username}/traced`, {
    headers: {
      traceparent: parentOf(trace),
      'X-Request-Id': 'request-of-tests',
      Authorization: `Bearer ${secrets.token}`,
    },
  })
  assert.equal(answer.status, 200)
  const record = await sink.until('the log of a request', () =>
    sink.records.find(({ attributes }) => named(attributes).request_id === 'request-of-tests'),
  )
  assert.equal(record.traceId, trace)
  assert.match(record.spanId, /^[0-9a-f]{16}$/)
  assert.equal(record.resource['service.name'], 'arsenal-tests')
  assert.equal(record.resource['deployment.environment.name'], 'tests')
  const line = web
    .log()
    .split('\n')
    .find((each) => each.includes('request-of-tests'))
  assert.equal(JSON.parse(line).trace_id, trace)
})

test('metrics arrive', async () => {
  const wanted = [
    'http.server.request.duration',
    'arsenal.jobs.queued',
    'arsenal.transfer.bytes',
    'arsenal.job.duration',
  ]
  await sink.until('metrics', () => wanted.every((name) => sink.metrics.has(name)))
  const { histogram } = sink.metrics.get('http.server.request.duration')
  const routes = histogram.dataPoints.map(({ attributes }) => named(attributes)['http.route'])
  assert.ok(
    routes.some((route) => route.includes(':name')),
    String(routes),
  )
})

test('no secret is in any signal', async () => {
  await fetch(`${web.url}/?token=${canary}&ticket=${canary}`)
  await fetch(`${web.url}/api/whoami-v2`, {
    headers: { Authorization: `Bearer hf_${canary}`, 'User-Agent': `x hf_${canary}` },
  })
  await fetch(`${web.url}/links/${canary}`)
  await sink.until('the last request', () =>
    sink.spans.some(({ attributes }) => named(attributes)['url.path']?.startsWith('/links/')),
  )
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const all = [...sink.raw, web.log(), worker.log()].join('\n')
  assert.ok(all.length > 10_000)
  for (const [name, secret] of Object.entries(secrets))
    assert.ok(!all.includes(secret), `${name} is in a signal`)
})
