import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { SqlConsole } from './sql-console.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

/** `…/sql/{config}`: SQL over the splits of a dataset. */
export function Component() {
  const { repo } = useRepo()
  return (
    <>
      <PageTitle>{`SQL · ${repo.full_name}`}</PageTitle>
      <SqlConsole pageOf={(config) => pages.sql(repo, config)} />
    </>
  )
}
