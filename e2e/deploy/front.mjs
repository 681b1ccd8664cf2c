// The files of deploy/ unchanged but for addresses and paths, in front of a built server on this machine.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const START_MS = 20_000

/** A file of deploy/ with each text replaced wherever it stands; a text that is not there fails. */
function adapted(name, replacements) {
  let text = readFileSync(join(deploy, name), 'utf8')
  for (const [from, to] of Object.entries(replacements)) {
    assert.ok(text.includes(from), `deploy/${name} has no «${from}»`)
    text = text.replaceAll(from, to)
  }
  return text
}

/** A certificate for models.example.com that signs itself. */
export function makeCertificate(dir) {
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')]
  const subject = ['-subj', '/CN=models.example.com', '-addext', 'subjectAltName=DNS:models.example.com']
  const form = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ]
  execFileSync('openssl', [...form, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  return { key, cert }
}

const proxyConf = (dir, target) => {
  const path = join(dir, 'proxy.conf')
  writeFileSync(path, adapted('nginx/proxy.conf', {}))
  return { '/etc/nginx/arsenal/proxy.conf': path, ...target }
}

/** deploy/nginx/arsenal.conf within the main file that its first lines ask for. */
export function nginxWithTls({ dir, port, plainPort, target, certificate }) {
  const own = adapted('nginx/arsenal.conf', {
    ...proxyConf(dir, { '127.0.0.1:8080': target }),
    'listen 80;': `listen 127.0.0.1:${plainPort};`,
    'listen [::]:80;': '',
    'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl http2;`,
    'listen [::]:443 ssl http2;': '',
    '/etc/ssl/arsenal/cert.pem': certificate.cert,
    '/etc/ssl/arsenal/key.pem': certificate.key,
  })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = temporary.map((name) => `${name}_temp_path ${dir}/${name};`).join(' ')
  return startNginx(
    dir,
    port,
    `pid ${dir}/nginx.pid; error_log ${dir}/error.log warn; events { worker_connections 16384; }\nhttp { access_log off; ${paths}\n${own}\n}`,
  )
}

/** deploy/nginx/compose.conf, with this machine as the gateway and one server in place of the containers' names. */
export function nginxOfCompose({ dir, port, target }) {
  const own = adapted('nginx/compose.conf', {
    // First: other paths lie below it.
    '/tmp/': `${dir}/`,
    ...proxyConf(dir, { 'server web:8080 resolve;': `server ${target};` }),
    'resolver 127.0.0.11 valid=5s;': '',
    'listen 8080;': `listen 127.0.0.1:${port};`,
    'error_log stderr': `error_log ${dir}/error.log`,
    '172.28.0.1': '127.0.0.1',
  })
  return startNginx(dir, port, own)
}

async function startNginx(dir, port, text) {
  const file = join(dir, 'nginx.conf')
  writeFileSync(file, text)
  const flags = ['-p', dir, '-c', file, '-g', `daemon off;${process.getuid() === 0 ? ' user root;' : ''}`]
  execFileSync('nginx', ['-t', '-q', ...flags])
  return started(spawn('nginx', flags, { stdio: ['ignore', 'ignore', 'ignore'] }), port, () =>
    readFileSync(join(dir, 'error.log'), 'utf8'),
  )
}

/** deploy/Caddyfile with a certificate of its own in place of one from a public authority. */
export async function caddy({ program, dir, port, target, certificate }) {
  const file = join(dir, 'Caddyfile')
  const tls = `tls ${certificate.cert} ${certificate.key}`
  const own = adapted('Caddyfile', {
    '{\n\tservers {': '{\n\tadmin off\n\tauto_https disable_redirects\n\tservers {',
    'models.example.com {': `https://models.example.com:${port} {\n\t${tls}`,
    '127.0.0.1:8080': target,
  })
  writeFileSync(file, own)
  const home = join(dir, 'home')
  mkdirSync(home)
  const env = { PATH: process.env.PATH, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home }
  const flags = ['--config', file, '--adapter', 'caddyfile']
  execFileSync(program, ['validate', ...flags], { env, stdio: 'ignore' })
  const child = spawn(program, ['run', ...flags], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (log += text))
  return started(child, port, () => log)
}

async function started(child, port, log) {
  const exited = once(child, 'exit')
  const stop = async () => {
    if (child.exitCode === null) child.kill('SIGTERM')
    await exited
  }
  const until = Date.now() + START_MS
  while (!(await listens(port))) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop()
      assert.fail(`the proxy did not start:\n${log()}`)
    }
    await pause(50)
  }
  return { stop, log }
}

async function listens(port) {
  const socket = connect(port, '127.0.0.1')
  const answer = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  return answer
}

/** nginx with its own defaults: it rewrites paths, limits bodies to 1 MiB and says nothing of the client. */
export function bareNginx({ dir, port, target }) {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const paths = temporary.map((name) => `${name}_temp_path ${dir}/${name};`).join(' ')
  return startNginx(
    dir,
    port,
    `pid ${dir}/nginx.pid; error_log ${dir}/error.log warn; events { }
     http { access_log off; ${paths} server { listen 127.0.0.1:${port}; location / { proxy_pass http://${target}/; } } }`,
  )
}
