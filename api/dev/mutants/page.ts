import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Budget } from './choose.ts'
import type { Mutant } from './mutants.ts'
import { isCaught, type Verdicts } from './verdicts.ts'

/** What was measured of a room: how many faults could be made, which were, and what became of them. */
export interface Room {
  name: string
  possible: number
  mutants: Mutant[]
  verdicts: Verdicts
}

/** How it was measured, when, and of which commit. */
interface How {
  seed: string
  budget: Budget
  of: { date: string; commit: string }
}

/** Why faults that survive do no harm, by the fault's id. */
type Harmless = Record<string, string>

const percent = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`

/** Writes docs/mutants.md. */
export function writePage(root: string, rooms: Room[], how: How): void {
  const reasons = JSON.parse(readFileSync(join(import.meta.dirname, 'harmless.json'), 'utf8')) as Harmless
  const file = join(root, 'docs', 'mutants.md')
  writeFileSync(file, pageOf(rooms, reasons, how))
  execFileSync(join(root, 'node_modules', '.bin', 'oxfmt'), [file], { cwd: root })
}

/** The page of these results. */
export function pageOf(rooms: Room[], reasons: Harmless, how: How): string {
  const survivors = rooms.flatMap(({ mutants, verdicts }) =>
    mutants.filter(({ id }) => !isCaught(verdicts[id]!)),
  )
  return [
    intro(how),
    duration(rooms),
    '## By room',
    table(rooms, reasons),
    '## By kind of fault',
    kinds(rooms),
    '## Survivors that do no harm',
    list(
      survivors.filter(({ id }) => reasons[id]),
      reasons,
    ) || 'None.',
    '## Survivors that want a test',
    list(
      survivors.filter(({ id }) => !reasons[id]),
      reasons,
    ) || 'None.',
    '',
  ].join('\n\n')
}

const intro = ({ seed, budget, of }: How) => `# Mutants

How many small faults the tests notice. \`npm run test:mutants\` makes faults in the code by rule, one at a time, in a copy
of the repository, runs the tests nearest to each, and writes this page. It is no part of \`npm test\`.
Measured on ${of.date}, of commit ${of.commit}.

- Faults are drawn by seed (\`${seed}\`) from all that the rules of \`api/dev/mutants/faults.ts\` can make. None is picked by hand.
- A fault is caught when a test fails, hangs or ends its process. The test must pass without the fault: it is asked at its
  first catch, at every tenth, and whenever it took too long, hung or ended its process.
- The unit and database tests run on SQLite, and on a real S3 server (versitygw). What survives is asked once more on Postgres.
  The suites of real clients and of pages do not run.
- The tests asked are those seen to run the faulty function, the room's own first, up to ${budget.testsMs / 1000} s of tests and ${budget.files} files.
  A fault that only a farther test would notice counts as a survivor.
- Verdicts are kept in \`.cache/mutants\`. A later run repeats only those whose file or tests have changed.
- What is only logged is not touched. Loops are never made endless on purpose. Numbers up to 100 grow by one; larger ones
  become 0.
- \`api/dev/mutants/harmless.json\` says which survivors do no harm, and why. The score without them is in the last column.`

function duration(rooms: Room[]): string {
  const verdicts = rooms.flatMap((room) => room.mutants.map(({ id }) => room.verdicts[id]!))
  const minutes = Math.round(verdicts.reduce((sum, { ms }) => sum + ms, 0) / 60_000)
  return `These ${verdicts.length} verdicts took ${minutes} minutes of test runs.`
}

function counts({ mutants, verdicts }: Pick<Room, 'mutants' | 'verdicts'>, reasons: Harmless) {
  const caught = mutants.filter(({ id }) => isCaught(verdicts[id]!)).length
  const harmless = mutants.filter(({ id }) => !isCaught(verdicts[id]!) && reasons[id]).length
  return { drawn: mutants.length, caught, harmless }
}

function table(rooms: Room[], reasons: Harmless): string {
  const row = (name: string, possible: number, { drawn, caught, harmless }: ReturnType<typeof counts>) => {
    const [raw, fair] = [percent(caught, drawn), percent(caught, drawn - harmless)]
    return `| ${name} | ${possible} | ${drawn} | ${caught} | ${drawn - caught - harmless} | ${harmless} | ${raw} | ${fair} |`
  }
  const all = rooms.map((room) => ({ ...room, counts: counts(room, reasons) }))
  const sum = (of: (room: (typeof all)[number]) => number) => all.reduce((total, room) => total + of(room), 0)
  const total = {
    drawn: sum((room) => room.counts.drawn),
    caught: sum((room) => room.counts.caught),
    harmless: sum((room) => room.counts.harmless),
  }
  return [
    '| Room | Possible | Drawn | Caught | Survived | Harmless | Score | Without harmless |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...all.map((room) => row(`\`${room.name}\``, room.possible, room.counts)),
    row(
      'all',
      sum(({ possible }) => possible),
      total,
    ),
  ].join('\n')
}

function kinds(rooms: Room[]): string {
  const verdicts = Object.assign({}, ...rooms.map((room) => room.verdicts)) as Verdicts
  const all = rooms.flatMap(({ mutants }) => mutants)
  const names = [...new Set(all.map(({ kind }) => kind))].sort()
  const rows = names.map((kind) => {
    const mutants = all.filter((mutant) => mutant.kind === kind)
    const caught = mutants.filter(({ id }) => isCaught(verdicts[id]!)).length
    return `| ${kind} | ${mutants.length} | ${caught} | ${percent(caught, mutants.length)} |`
  })
  return ['| Fault | Drawn | Caught | Score |', '| --- | ---: | ---: | ---: |', ...rows].join('\n')
}

/** At most so much of a text is shown. */
const shown = 70

const code = (text: string) => {
  const words = text.replace(/\s+/g, ' ')
  return `\`\` ${words.length > shown ? `${words.slice(0, shown)}…` : words} \`\``
}

const list = (survivors: Mutant[], reasons: Harmless) =>
  survivors
    .map(({ id, file, line, kind, original, text }) => {
      const change =
        text === ';' || kind === 'await removed' ? code(original) : `${code(original)} → ${code(text)}`
      return `- ${file}:${line} (${id}): ${kind}, ${change}${reasons[id] ? `. ${reasons[id]}` : ''}`
    })
    .join('\n')
