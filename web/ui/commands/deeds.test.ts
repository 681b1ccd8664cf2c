import { expect, test } from 'vitest'
import { commandsOf, type Deed } from './deeds.ts'

const origin = 'http://hub.test:8080'
const deeds: Deed[] = [
  { kind: 'sign-in', secret: 'secret' },
  { kind: 'upload', repo: 'ada/tiny', type: 'model' },
  { kind: 'upload', repo: 'ada/rows', type: 'dataset', rev: 'refs/pr/1' },
  { kind: 'upload', repo: 'ada/tiny', type: 'model', asPull: true },
  { kind: 'upload', repo: 'ada/tiny', type: 'model', isNew: true },
  { kind: 'download', repo: 'ada/rows', type: 'dataset' },
  { kind: 'create-repo', repo: 'ada/tiny', type: 'dataset', isPrivate: true },
  { kind: 'create-collection', title: 'Good ones', ns: 'ada' },
  { kind: 'add-to-collection', slug: 'ada/good-ones', item: 'ada/tiny' },
]

test.each(deeds)('every command to $kind names this server', (deed) => {
  const commands = commandsOf(deed, origin)
  expect(commands.map(({ id }) => id)).toEqual(expect.arrayContaining(['shell', 'powershell', 'python']))
  for (const { id, code } of commands) expect(code, id).toContain('hub.test:8080')
})

test('names are quoted as each shell wants it', () => {
  const [shell, powerShell] = commandsOf({ kind: 'create-collection', title: "Ada's", ns: 'ada' }, origin)
  expect(shell?.code).toContain(`collections create 'Ada'\\''s'`)
  expect(powerShell?.code).toContain(`collections create 'Ada''s'`)
})
