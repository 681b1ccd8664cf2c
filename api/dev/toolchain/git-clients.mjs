// Other people's git clients: isomorphic-git, dulwich, libgit2 (pygit2) and go-git.
import { join } from 'node:path'
import { must, root } from '../run.mjs'
import { contentHash } from '../stamps.mjs'
import { cached } from './cache.mjs'
import { buildGo, requireGo } from './go.mjs'
import { pythonTool } from './python.mjs'

const isomorphicVersion = '1.44.11'
const clients = 'e2e/git/clients'

/** Answers name → the beginning of a command, to be followed by what e2e/git/clients say. */
export async function ensureGitClients() {
  const [module, python, goGit] = await Promise.all([
    ensureIsomorphic(),
    ensurePythonClients(),
    ensureGoGit(),
  ])
  const script = (name) => join(root, clients, name)
  return {
    'isomorphic-git': [process.execPath, script('isomorphic.mjs'), module],
    dulwich: [python, script('dulwich_client.py')],
    libgit2: [python, script('pygit2_client.py')],
    'go-git': [goGit],
  }
}

async function ensureIsomorphic() {
  const folder = await cached(`isomorphic-git-${isomorphicVersion}`, (made) =>
    must(
      'npm',
      ['install', '--prefix', made, '--no-audit', '--no-fund', `isomorphic-git@${isomorphicVersion}`],
      { quiet: true },
    ),
  )
  return join(folder, 'node_modules', 'isomorphic-git', 'index.cjs')
}

async function ensurePythonClients() {
  return join(await pythonTool('git-clients', `${clients}/requirements.txt`), 'python')
}

async function ensureGoGit() {
  const source = ['main.go', 'go.mod', 'go.sum'].map((name) => `${clients}/gogit/${name}`)
  const folder = await cached(`go-git-client-${contentHash(source)}`, async (made) => {
    await requireGo('the tests build a client of go-git, which')
    await buildGo(`${clients}/gogit`, join(made, 'gogit'))
  })
  return join(folder, 'gogit')
}
