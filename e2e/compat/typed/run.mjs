// Packs the typed client, installs the tarball outside the workspace, and compiles and runs programs against it.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from '../../fixtures/server.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))

function npm(args, cwd) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${status}\n${stdout}\n${stderr}`)
  return stdout
}

/** Installs from the tarball alone: nothing is asked of a registry, for there is nothing to ask for. */
async function install(folder) {
  await cp(join(here, 'outside'), folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const packed = npm(['pack', '--workspace', 'shared', '--pack-destination', folder, '--json'], root)
  const [{ filename }] = Object.values(JSON.parse(packed.slice(packed.search(/^[[{]/m))))
  npm(['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], folder)
}

async function runTests(file, cwd, env) {
  const child = spawn(process.execPath, ['--test', file], {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) process.exitCode = 1
}

const folder = await mkdtemp(join(tmpdir(), 'arsenal-typed-'))
const server = await startServer()
try {
  await install(folder)
  const person = await server.newPerson('typed')
  const env = {
    // `openAsBlob` is experimental in Node 20.
    NODE_NO_WARNINGS: '1',
    TYPED_FOLDER: folder,
    ARSENAL_URL: server.url,
    ARSENAL_USER: person.username,
    ARSENAL_PASSWORD: person.password,
  }
  await runTests(join(here, 'package.test.mjs'), here, env)
  await runTests(join(folder, 'out', 'node', 'program.test.js'), folder, env)
  await server.cli(['fsck', '--deep'])
} finally {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
