// systemd's own judgement of deploy/arsenal.service.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const dir = mkdtempSync(join(tmpdir(), 'arsenal-unit-'))
after(() => rmSync(dir, { recursive: true, force: true }))

// Only the place of the program differs from machine to machine.
const text = readFileSync(fileURLToPath(new URL('../../deploy/arsenal.service', import.meta.url)), 'utf8')
const unit = join(dir, 'arsenal.service')
writeFileSync(unit, text.replace('/usr/bin/node', process.execPath))

test('the unit is valid', async () => {
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', unit])
  assert.equal(stdout + stderr, '')
})

test('the sandbox leaves little exposed', async () => {
  // Of 100, where 100 is no sandbox at all; fails above.
  const flags = ['security', '--offline=true', '--threshold=20', '--no-pager', unit]
  const { stdout } = await run('systemd-analyze', flags)
  assert.match(stdout, /Overall exposure level/)
})
