// The versions of hub clients that e2e/compat/clients.json names: an update of a client is a change of one line there.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, SetupError } from '../run.mjs'

const { clients } = JSON.parse(readFileSync(join(root, 'e2e/compat/clients.json'), 'utf8'))

/** The newest Python client and what comes with it, as pip takes them. */
export function newestPython(stage) {
  const hub = `huggingface_hub ${clientVersions('huggingface_hub', stage).at(-1)}`
  const { with: more = {} } = clients.find(({ client }) => client === hub)
  const all = { 'huggingface-hub': hub.split(' ')[1], ...more }
  return Object.entries(all).map(([name, version]) => `${name}==${version}`)
}

/** Versions of the client that the tests of a stage run, the newest last. */
export function clientVersions(name, stage) {
  const versions = clients
    .filter((each) => each.stage === stage && each.client.startsWith(`${name} `))
    .map(({ client }) => client.slice(name.length + 1))
  if (versions.length === 0) throw new SetupError(`e2e/compat/clients.json names no ${name} for ${stage}`)
  return versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}
