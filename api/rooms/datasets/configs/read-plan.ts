import { createHash } from 'node:crypto'
import type { Ctx } from '../../../core/ctx.ts'
import { readCard, readYamlFile, type Revision } from '../../content/index.ts'
import type { Repo } from '../../repos/index.ts'
import type { DatasetProblem } from '../tables.ts'
import { planDataset, type DatasetPlan } from './plan.ts'
import type { SourceFile } from './source-file.ts'
import { zipNames } from './zip-names.ts'

/** The plan of a revision with its files. */
export interface RevisionPlan extends DatasetPlan {
  /** Data files of all configs, by path. */
  files: Map<string, SourceFile>
  /** Whether the card turns the viewer off. */
  isOff: boolean
  /** SHA-256 over all that an export depends on. */
  inputs: string
}

/** Raise it when the same files lead to other rows; exports of an older version are made once more. */
export const PLAN_VERSION = 7
/** Repos with more files are not read: listing them would take minutes. */
const MAX_FILES = 500_000

/** Reads how the library would load a revision of a dataset. */
export async function readPlan(
  ctx: Ctx,
  repo: Pick<Repo, 'name'>,
  revision: Revision,
): Promise<RevisionPlan> {
  const { snapshot, commit } = revision
  const oids = new Map<string, string>()
  const root = await snapshot.entryAt(commit, '')
  if (root)
    for await (const { path, kind, oid } of snapshot.walk(root.oid)) {
      if (kind !== 'file') continue
      oids.set(path, oid)
      if (oids.size === MAX_FILES) break
    }
  const card = await readCard(revision)
  const matter = {
    ...card?.frontMatter,
    ...(await readYamlFile(revision, '.huggingface.yaml')),
  }
  const membersOf = async (paths: string[]) =>
    zipNames(ctx, snapshot, [...(await describe(revision, paths, oids)).values()])
  const problem = problemOf(card)
  const plan = problem
    ? { configs: [], problem }
    : await planDataset({ paths: oids.keys(), name: repo.name, matter, membersOf })
  const paths = plan.configs.flatMap(({ splits }) => splits.flatMap((split) => split.files))
  const files = await describe(revision, paths, oids)
  const isOff = matter['viewer'] === false
  return { ...plan, files, isOff, inputs: inputsOf(plan, files, isOff, revision.commit) }
}

/** A card that cannot be read may name configs, so there are no default ones. A block without an end is no block. */
function problemOf(card: Awaited<ReturnType<typeof readCard>>): DatasetProblem | undefined {
  const problem = card?.problems.find(({ code }) => code !== 'front-matter-open')
  return (
    problem && {
      code: 'ConfigNamesError',
      message: `The metadata in README.md cannot be read. ${problem.message}`,
    }
  )
}

async function describe(
  { snapshot }: Revision,
  named: readonly string[],
  oids: ReadonlyMap<string, string>,
): Promise<Map<string, SourceFile>> {
  const paths = [...new Set(named)]
  const facts = await snapshot.describe(paths.map((path) => oids.get(path) ?? ''))
  return new Map(
    paths.map((path, i) => {
      const { sizeBytes = 0, pointer } = facts[i] ?? {}
      const stored = { path, oid: oids.get(path) ?? '', sizeBytes: pointer?.sizeBytes ?? sizeBytes }
      return [path, pointer ? { ...stored, sha256: pointer.sha256 } : stored]
    }),
  )
}

function inputsOf(
  plan: DatasetPlan,
  files: ReadonlyMap<string, SourceFile>,
  isOff: boolean,
  commit: string,
): string {
  const configs = plan.configs.map(({ splits, key: _key, ...config }) => ({
    ...config,
    splits: splits.map((split) => [split.name, split.files.map((path) => [path, files.get(path)?.oid])]),
  }))
  // Cells of folders name their files by the commit, which must not go away under them.
  const named = configs.some(({ builder }) => builder.endsWith('folder')) ? [commit] : []
  const text = JSON.stringify([PLAN_VERSION, configs, plan.problem, isOff, ...named])
  return createHash('sha256').update(text).digest('hex')
}
