import { CollectButton } from '../features/collections/collect-button.tsx'
import { RepoLayout } from '../features/repos/repo-layout.tsx'

/** The frame of a repo's pages, with what other features do to a repo. */
export function Component() {
  return <RepoLayout actions={<CollectButton />} />
}
