import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { Viewer } from './viewer.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

/** `…/viewer/{config}/{split}`: the rows of a dataset. */
export function Component() {
  const { repo } = useRepo()
  return (
    <>
      <PageTitle>{`Viewer · ${repo.full_name}`}</PageTitle>
      <Viewer skip={1} pageOf={(config, split) => pages.viewer(repo, config, split)} />
    </>
  )
}
