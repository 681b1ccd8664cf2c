import {
  nameFault,
  namePattern,
  reservedRepoNames,
  type RepoType,
  type RepoTypePath,
} from '../../../shared/vocabulary.ts'
import { Problem } from '../../platform/problems/index.ts'

/** Where a repo is found; `ns` and `name` in any case. */
export interface RepoAddress {
  type: RepoType
  ns: string
  name: string
}

/** `models` → `model` */
export const repoTypeOf = (path: RepoTypePath): RepoType => (path === 'models' ? 'model' : 'dataset')
/** `model` → `models` */
export const typePathOf = (type: RepoType): RepoTypePath => (type === 'model' ? 'models' : 'datasets')

/** `acme/tiny` of models, `datasets/acme/rows` of datasets: the path of the page and of the hub's file addresses. */
export const pagePath = ({ type, ns, name }: RepoAddress): string =>
  `${type === 'dataset' ? 'datasets/' : ''}${ns}/${name}`

/** What makes a repo's name unique: set while it holds the name. */
export const addressKey = (type: RepoType, namespaceId: string, name: string): string =>
  `${type}/${namespaceId}/${name.toLowerCase()}`

/** What a repo's full name is sorted and found by. */
export const fullKey = ({ ns, name }: Pick<RepoAddress, 'ns' | 'name'>): string =>
  `${ns}/${name}`.toLowerCase()

/** The key of an old address among the redirects. */
export const redirectKey = ({ type, ns, name }: RepoAddress): string => `${type}/${ns}/${name}`.toLowerCase()

/** Whether anything could have this address. */
export const isWellFormed = ({ ns, name }: RepoAddress): boolean =>
  namePattern.test(ns) && namePattern.test(name)

const reserved = new Set<string>(reservedRepoNames)

/** Throws Problem `invalid-name` on `field` unless a repo may be called `name`. */
export function checkRepoName(field: string, name: string): void {
  const fault = nameFault(name) ?? (reserved.has(name.toLowerCase()) ? 'this name is reserved' : undefined)
  if (fault === undefined) return
  throw new Problem('invalid-name', {
    detail: `${field}: ${fault}`,
    errors: [{ field, code: 'invalid-name', message: fault }],
  })
}

/** The Problem of an address that another repo holds; `members.repo` names that one. */
export const nameTaken = (field: string, holder: RepoAddress): Problem =>
  new Problem('name-taken', {
    detail: `There is a ${holder.type} ${holder.ns}/${holder.name} already.`,
    errors: [{ field, code: 'taken', message: 'already in use' }],
    members: { repo: { type: holder.type, ns: holder.ns, name: holder.name } },
  })
