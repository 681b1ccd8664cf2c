// npm run sbom: what the built server and its pages contain. Writes dist/sbom.cdx.json (CycloneDX) and dist/licences.txt, from
// the lock file alone, and fails for a package whose licence is not on the list of allowed ones.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { main, root, run, SetupError } from './run.mjs'

/** Licences that let us hand on a program with the package in it. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/** The document that npm makes of the lock file; it asks no registry. */
export async function makeSbom() {
  const flags = [
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--package-lock-only',
    '--omit',
    'dev',
  ]
  const { status, output } = await run('npm', ['sbom', ...flags, '--offline'], { quiet: true })
  if (status !== 0) throw new SetupError(`npm sbom ended with ${status}:\n${output}`)
  return JSON.parse(output.slice(output.indexOf('{')))
}

const licenceOf = ({ licenses = [] }) =>
  licenses.map(({ expression, license }) => expression ?? license?.id ?? license?.name).join(' AND ') ||
  'none'

/** `(MIT OR Apache-2.0)` is allowed when one of them is, `MIT AND Zlib` when both are. */
function isAllowed(licence) {
  const alternatives = licence.replaceAll(/[()]/g, '').split(' OR ')
  return alternatives.some((all) => all.split(' AND ').every((one) => allowed.has(one)))
}

/** Every package but our own: its name, version and licence, and whether that is allowed. */
export function licencesOf({ components }) {
  return components
    .filter(({ name, purl }) => purl && !/^(@arsenal\/)/.test(name))
    .map((component) => ({ ...component, licence: licenceOf(component) }))
    .map(({ name, version, licence }) => ({ name, version, licence, isAllowed: isAllowed(licence) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

async function writeAll() {
  const sbom = await makeSbom()
  const licences = licencesOf(sbom)
  const folder = join(root, 'dist')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 1)}\n`)
  const lines = licences.map(({ name, version, licence }) => `${name} ${version}: ${licence}\n`)
  writeFileSync(join(folder, 'licences.txt'), lines.join(''))
  const refused = licences.filter((one) => !one.isAllowed)
  for (const { name, version, licence } of refused)
    process.stderr.write(`${name} ${version}: the licence ${licence} is not allowed; use another package\n`)
  process.stdout.write(`${licences.length} packages in dist/sbom.cdx.json and dist/licences.txt\n`)
  process.exitCode = refused.length === 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main(writeAll)
