// deploy/chart as Helm's own engine renders it and the types of Kubernetes read it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { renderChart } from '../../api/dev/toolchain/helm.mjs'
import { mainJs } from '../fixtures/server.mjs'

const run = promisify(execFile)
const chart = fileURLToPath(new URL('../../deploy/chart', import.meta.url))
const dir = mkdtempSync(join(tmpdir(), 'arsenal-chart-'))
after(() => rmSync(dir, { recursive: true, force: true }))

const secrets = {
  databaseDsn: 'postgres://arsenal:secret@db.example.com/arsenal',
  instanceKey: Buffer.alloc(32, 7).toString('base64'),
  adminPassword: 'correct horse battery staple',
}
const values = {
  config: { server: { public_url: 'https://models.example.com', trusted_proxies: ['10.42.7.0/24'] } },
  ingress: { tlsSecret: 'models-tls' },
  secrets,
}
const ofKind = (objects, kind) => objects.filter((each) => each.kind === kind)
const kindsOf = (objects) => objects.map(({ kind }) => kind).toSorted()

test('every object is one that Kubernetes takes', async () => {
  assert.deepEqual(kindsOf(await renderChart(chart, values)), [
    'ConfigMap',
    'Deployment',
    'Deployment',
    'Ingress',
    'NetworkPolicy',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'PodDisruptionBudget',
    'Secret',
    'Service',
    'ServiceAccount',
  ])
})

test('processes have no more rights than they need, and each its role', async () => {
  const deployments = ofKind(await renderChart(chart, values), 'Deployment')
  const roles = deployments.map(({ spec }) => {
    const [container] = spec.template.spec.containers
    assert.equal(spec.template.spec.securityContext.runAsNonRoot, true)
    assert.equal(spec.template.spec.automountServiceAccountToken, false)
    assert.deepEqual(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.deepEqual(spec.template.metadata.labels, {
      ...spec.selector.matchLabels,
      ...spec.template.metadata.labels,
    })
    return container.env.find(({ name }) => name === 'SERVICE_SERVER_ROLE').value
  })
  assert.deepEqual(roles.toSorted(), ['web', 'worker'])
})

test('the service finds the web pods, and the ingress the service', async () => {
  const objects = await renderChart(chart, values)
  const [service] = ofKind(objects, 'Service')
  const [ingress] = ofKind(objects, 'Ingress')
  const web = ofKind(objects, 'Deployment').find(({ metadata }) => metadata.name.endsWith('-web'))
  const { labels } = web.spec.template.metadata
  assert.deepEqual({ ...labels, ...service.spec.selector }, labels)
  const [port] = service.spec.ports
  assert.ok(web.spec.template.spec.containers[0].ports.some(({ name }) => name === port.targetPort))
  const { backend } = ingress.spec.rules[0].http.paths[0]
  assert.deepEqual(backend.service, { name: service.metadata.name, port: { name: port.name } })
})

test('the server accepts its configuration, with the variables of its secret', async () => {
  const objects = await renderChart(chart, values)
  const [{ data }] = ofKind(objects, 'ConfigMap')
  const [{ stringData }] = ofKind(objects, 'Secret')
  const file = join(dir, 'config.yaml')
  writeFileSync(file, data['config.yaml'])
  // The folders of the image are not on this machine.
  const folders = ['--set', `server.data_dir=${dir}`, '--set', `git.cache_dir=${join(dir, 'cache')}`]
  const args = [mainJs, 'config', 'check', '--config', file, ...folders]
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, ...stringData } })
  assert.equal(stdout, 'The configuration is sound.\n')
})

test('a secret of the operator takes the place of one of the chart', async () => {
  const objects = await renderChart(chart, { ...values, secrets: {}, existingSecret: 'own' })
  assert.deepEqual(ofKind(objects, 'Secret'), [])
  for (const { spec } of ofKind(objects, 'Deployment'))
    assert.deepEqual(spec.template.spec.containers[0].envFrom, [{ secretRef: { name: 'own' } }])
})

test('what is optional can be left out', async () => {
  const without = { ingress: { enabled: false }, networkPolicy: { enabled: false } }
  const objects = await renderChart(chart, { ...values, ...without, serviceAccount: { create: false } })
  for (const kind of ['Ingress', 'NetworkPolicy', 'ServiceAccount'])
    assert.deepEqual(ofKind(objects, kind), [])
})

const refused = {
  'plain HTTP': [
    { config: { server: { public_url: 'http://models.example.com' } } },
    /must begin with https/,
  ],
  'an ingress without TLS': [{ ingress: {} }, /ingress\.tlsSecret is required/],
  'no secrets': [{ secrets: {} }, /secrets\.\w+ is required/],
}
for (const [what, [more, reason]] of Object.entries(refused))
  test(`${what} is refused`, async () => {
    await assert.rejects(renderChart(chart, { ...values, ...more }), reason)
  })

test('plain HTTP is there for those who ask for it', async () => {
  const plain = { config: { server: { public_url: 'http://models.example.com' } }, ingress: {} }
  const [ingress] = ofKind(await renderChart(chart, { ...values, ...plain, insecure: true }), 'Ingress')
  assert.equal(ingress.spec.tls, undefined)
})

test('a field that Kubernetes does not know is noticed', async () => {
  const copy = join(dir, 'chart')
  cpSync(chart, copy, { recursive: true })
  const file = join(copy, 'templates', '_parts.tpl')
  writeFileSync(file, readFileSync(file, 'utf8').replace('readOnlyRootFilesystem', 'readonlyRootFileSystems'))
  await assert.rejects(renderChart(copy, values), /unknown field .*readonlyRootFileSystems/)
})
