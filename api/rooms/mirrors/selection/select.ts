import type { Selection } from '../../../../shared/vocabulary.ts'
import { quantGroups } from '../../../core/parsers/index.ts'
import type { DatasetPlan } from '../../datasets/index.ts'
import { fnmatch } from './fnmatch.ts'

/** A file that a selection is applied to. */
export interface Selectable {
  path: string
  sizeBytes: number
}

/** Says nothing: no large file is wanted. */
export const isEmptySelection = ({ all, include, quants, configs, splits }: Selection): boolean =>
  !all && [include, quants, configs, splits].every((values) => !values?.length)

/** Whether it names parts of a dataset, which the dataset's plan has the files of. */
export const namesParts = ({ configs, splits }: Selection): boolean =>
  Boolean(configs?.length) || Boolean(splits?.length)

/**
 * The large files that a selection wants: all of them, those that match a glob of `include`, those of the quants, those of
 * configs and splits by the dataset's `plan`; less what matches a glob of `exclude`. An `exclude` alone leaves all others.
 */
export function selectFiles<F extends Selectable>(
  files: readonly F[],
  selection: Selection,
  plan?: DatasetPlan,
): F[] {
  const { all, include = [], exclude = [], quants = [] } = selection
  const ofQuants = new Set(quants.length > 0 ? filesOfQuants(files, quants) : [])
  const ofParts = new Set(plan && namesParts(selection) ? filesOfParts(plan, selection) : [])
  const isAll = all || (isEmptySelection(selection) && exclude.length > 0)
  return files.filter(({ path }) => {
    const isWanted =
      isAll || include.some((glob) => fnmatch(path, glob)) || ofQuants.has(path) || ofParts.has(path)
    return isWanted && !exclude.some((glob) => fnmatch(path, glob))
  })
}

/** The shards of the quants, and the projectors that belong to them. */
function filesOfQuants(files: readonly Selectable[], quants: readonly string[]): string[] {
  const wanted = new Set(quants.map((name) => name.toLowerCase()))
  const groups = quantGroups(files.filter(({ path }) => path.toLowerCase().endsWith('.gguf')))
  return groups
    .filter(({ name }) => wanted.has(name.toLowerCase()))
    .flatMap(({ files: own, projectors }) => [...own, ...projectors])
}

/** The files of configs, of all their splits or of those that are named; splits alone are those of every config. */
function filesOfParts({ configs: planned }: DatasetPlan, { configs = [], splits = [] }: Selection): string[] {
  const isWanted = (names: readonly string[], name: string) => names.length === 0 || names.includes(name)
  return planned
    .filter(({ name }) => isWanted(configs, name))
    .flatMap((config) => config.splits.filter(({ name }) => isWanted(splits, name)))
    .flatMap(({ files }) => files)
}

/** What two selections want together. */
export function joinSelections(one: Selection, other: Selection): Selection {
  if (one.all && !one.exclude?.length) return one
  if (other.all && !other.exclude?.length) return other
  const joined = (key: 'include' | 'quants' | 'configs' | 'splits') => {
    const values = [...new Set([...(one[key] ?? []), ...(other[key] ?? [])])]
    return values.length > 0 ? { [key]: values } : {}
  }
  // What only one of them leaves out is wanted by the other.
  const exclude = (one.exclude ?? []).filter((glob) => other.exclude?.includes(glob))
  return {
    ...(one.all || other.all ? { all: true } : {}),
    ...joined('include'),
    ...joined('quants'),
    ...joined('configs'),
    ...joined('splits'),
    ...(exclude.length > 0 ? { exclude } : {}),
  }
}
