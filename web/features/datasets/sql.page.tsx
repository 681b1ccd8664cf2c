import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { SqlConsole } from './sql-console.tsx'

/** `…/sql/{config}`: SQL over the splits of a dataset. */
export function Component() {
  const { repo } = useRepo()
  return (
    <>
      <title>{`SQL · ${repo.full_name} · Arsenal`}</title>
      <SqlConsole pageOf={(config) => pages.sql(repo, config)} />
    </>
  )
}
