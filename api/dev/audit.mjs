// Known vulnerabilities of the packages that the product ships, from the registry's advisories.
import { run } from './run.mjs'

/** Shorter than verify's own time: a registry that does not answer must not hold the other checks up. */
const TIMEOUT_MS = 10_000
const refused = ['high', 'critical']

/**
 * Fails on advisories of severity high or critical for dependencies of the product. A registry that answers no audits, such
 * as a mirror, or none at all passes with a `note`: a check of code must work without a network.
 * @param {{ registry?: string }} [options]
 */
export async function auditDependencies({ registry } = {}) {
  const flags = ['--omit=dev', '--json', '--fetch-retries=0', `--fetch-timeout=${TIMEOUT_MS}`]
  if (registry) flags.push('--registry', registry)
  const { output } = await run('npm', ['audit', ...flags], { quiet: true, timeout: 2 * TIMEOUT_MS })
  const report = reportIn(output)
  if (!report?.vulnerabilities) {
    return {
      status: 0,
      output,
      note: `not available: ${report?.message ?? report?.error?.summary ?? 'the registry did not answer'}`,
    }
  }
  // Dependents name the package by a string in `via`; the package itself has the advisory there.
  const found = Object.values(report.vulnerabilities).flatMap(({ name, via }) =>
    via.filter(({ severity }) => refused.includes(severity)).map((advisory) => line(name, advisory)),
  )
  return { status: found.length === 0 ? 0 : 1, output: found.join('') }
}

/** npm prints warnings before and after the report, which begins and ends with a brace at the beginning of a line. */
function reportIn(output) {
  const text = /^\{$[^]*^\}$/m.exec(output)?.[0]
  return text === undefined ? undefined : JSON.parse(text)
}

function line(name, { severity, range, title, url }) {
  return `${severity}  ${name} ${range}: ${title} ${url}\n`
}
