// A release after the built one: the same program with another version, and a migration more, which adds a column.
import { cpSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { mainJs } from '../fixtures/server.mjs'

const root = dirname(dirname(dirname(mainJs)))
/** In `repos`; the code of the built release does not know it. */
export const nextColumn = 'of_next_release'

/** Writes it to a folder of its own: { main, version, remove }. */
export function makeNextRelease() {
  const folder = mkdtempSync(join(tmpdir(), 'arsenal-next-'))
  for (const name of ['dist', 'drizzle']) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const version = changeVersion(join(folder, 'dist', 'api'))
  addMigration(join(folder, 'drizzle', 'postgres'))
  const remove = () => rm(folder, { recursive: true, force: true })
  return { main: join(folder, 'dist', 'api', 'main.js'), version, remove }
}

function changeVersion(folder) {
  const { version } = JSON.parse(readFileSync(join(root, 'api', 'package.json'), 'utf8'))
  const next = `${version}-next`
  // As the bundler writes the fields of api/package.json.
  const field = `var name = "@arsenal/api";\nvar version = "${version}";`
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const found = files.filter((name) => readFileSync(join(folder, name), 'utf8').includes(field))
  if (found.length === 0) throw new Error('no file of the bundle has the version')
  for (const name of found) {
    const path = join(folder, name)
    writeFileSync(path, readFileSync(path, 'utf8').replace(field, field.replace(version, next)))
  }
  return next
}

function addMigration(folder) {
  const path = join(folder, 'meta', '_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8'))
  const last = journal.entries.at(-1)
  const tag = `${String(last.idx + 1).padStart(4, '0')}_of_next_release`
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag })
  writeFileSync(path, JSON.stringify(journal))
  writeFileSync(
    join(folder, `${tag}.sql`),
    `ALTER TABLE "repos" ADD COLUMN "${nextColumn}" text DEFAULT 'new' NOT NULL;`,
  )
}
