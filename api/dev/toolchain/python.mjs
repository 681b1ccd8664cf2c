// The Python environments with the real hub clients, one per generation of the client library.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { exists, must, root, run, SetupError } from '../run.mjs'
import { contentHash } from '../stamps.mjs'
import { aptInstall } from './apt.mjs'
import { cached, cacheDir } from './cache.mjs'
import { newestPython } from './client-versions.mjs'

const uvVersion = '0.13.9'
const leastPython = '3.11'

/** Answers { a, b, c, d, e }: the Python of each environment in e2e/compat/requirements-*.txt. */
export async function ensurePython() {
  const environments = {}
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const more = name === 'e' ? newestPython('compat-e') : []
    const folder = await pythonTool(`python-${name}`, `e2e/compat/requirements-${name}.txt`, more)
    environments[name] = join(folder, 'python')
  }
  return environments
}

/** A Python environment with what a file lists and `more`, kept under a name; answers the folder of its programs. */
export async function pythonTool(name, requirements, more = []) {
  const python = await systemPython()
  const asked = await must(python, ['-c', 'import sys; print(sys.version.split()[0])'], { quiet: true })
  const version = asked.trim()
  const uv = await ensureUv(python, version)
  const env = { UV_CACHE_DIR: join(cacheDir, 'uv'), UV_NO_PROGRESS: '1', UV_HTTP_TIMEOUT: '300' }
  const quietly = { quiet: true, env }
  const key = [name, version, contentHash([requirements]), ...more].join('-')
  const folder = await cached(key, async (made) => {
    await must(uv, ['venv', '--quiet', '--clear', '--python', python, made], quietly)
    // The files list everything, less what torch needs on a graphics card alone; so nothing is resolved here.
    // uv brings roots of its own, which know nothing of a company's.
    const from = [
      '--system-certs',
      '--no-deps',
      '--python',
      join(made, 'bin', 'python'),
      '-r',
      join(root, requirements),
      ...more,
    ]
    await must(uv, ['pip', 'install', '--quiet', ...from], quietly)
  })
  return join(folder, 'bin')
}

async function systemPython() {
  if (await isUsable('python3')) return 'python3'
  if (!(await exists('python3')) || (await exists('apt-get'))) await aptInstall(['python3', 'python3-venv'])
  if (await isUsable('python3')) return 'python3'
  throw new SetupError(`the client tests need python3 ${leastPython} or newer with venv on the PATH`)
}

async function isUsable(python) {
  const check = `import sys, venv, ensurepip; sys.exit(sys.version_info < (${leastPython.replace('.', ', ')}))`
  const { status } = await run(python, ['-c', check], { quiet: true }).catch(() => ({ status: 1 }))
  return status === 0
}

async function ensureUv(python, version) {
  const folder = await cached(`uv-${uvVersion}-${version}`, async (made) => {
    await must(python, ['-m', 'venv', made], { quiet: true })
    await must(join(made, 'bin', 'python'), ['-m', 'pip', 'install', '-q', `uv==${uvVersion}`], {
      quiet: true,
    })
  })
  const uv = join(folder, 'bin', 'uv')
  if (!existsSync(uv)) throw new SetupError(`uv is not in ${folder}; remove that folder and try again`)
  return uv
}
