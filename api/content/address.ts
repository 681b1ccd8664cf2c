import type { RepoTypePath } from '../../shared/vocabulary.ts'
import { repoTypeOf, type RepoAddress } from '../repos/index.ts'

/** Path parameters that name a Repo. */
export interface AddressParams {
  type: RepoTypePath
  ns: string
  name: string
}

/** The address that path parameters name. */
export const addressOf = ({ type, ns, name }: AddressParams): RepoAddress => ({
  type: repoTypeOf(type),
  ns,
  name,
})
