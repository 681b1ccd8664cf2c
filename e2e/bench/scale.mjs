// `npm run bench -- --scale`: what a server costs with many repos, at a tenth of the whole size and at the whole; the table
// goes to docs/scale.md. ARSENAL_SCALE=0.01 measures that share of the whole alone.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { costs } from './scale-costs.mjs'
import { fillScale } from './scale-fill.mjs'
import { writeColumn } from './scale-page.mjs'

const shares = (process.env['ARSENAL_SCALE'] ?? '0.1,1').split(',').map(Number)

for (const share of shares) {
  const dir = mkdtempSync(join(tmpdir(), 'arsenal-scale-'))
  try {
    const made = await fillScale(dir, share)
    console.log(`filled ${share} of the whole`)
    for await (const figure of costs(dir, made)) {
      console.log(...figure)
      // At once: the whole takes hours, and what was measured should stay when it is interrupted.
      writeColumn(share, [figure])
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
