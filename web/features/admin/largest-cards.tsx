import { Anchor, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { formatSize } from '../../lib/format.ts'
import { Size } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { Figures } from './figures.tsx'
import type { StorageReport } from './queries.ts'

interface LargestProps {
  /** Absent until it is there. */
  report: StorageReport | undefined
}

const SHOWN = 10

/** The repos with the most bytes. */
export function LargestRepos({ report }: LargestProps) {
  return (
    <Section title="Largest repos" note="Packs and large files of all revisions.">
      <Largest
        rows={report?.repos.slice(0, SHOWN).map(({ repo, bytes, is_deleted }) => ({
          key: `${repo.type} ${repo.ns}/${repo.name} ${bytes}`,
          what: is_deleted ? (
            <>
              {repo.ns}/{repo.name} (deleted)
            </>
          ) : (
            <Anchor component={Link} to={pages.repo(repo)} inherit>
              {repo.ns}/{repo.name}
            </Anchor>
          ),
          figure: <Size bytes={bytes} />,
        }))}
      />
    </Section>
  )
}

/** The namespaces with the most bytes. */
export function LargestNamespaces({ report }: LargestProps) {
  return (
    <Section
      title="Largest namespaces"
      note="What counts for quotas."
      aside={
        <Anchor component={Link} to="/admin/quotas" size="sm">
          Set quotas
        </Anchor>
      }
    >
      <Largest
        rows={report?.namespaces.slice(0, SHOWN).map(({ ns, bytes, quota_bytes }) => ({
          key: ns,
          what: (
            <Anchor component={Link} to={`/${ns}`} inherit>
              {ns}
            </Anchor>
          ),
          figure: (
            <>
              <Size bytes={bytes} />
              {quota_bytes !== undefined && ` of ${formatSize(quota_bytes)}`}
            </>
          ),
        }))}
      />
    </Section>
  )
}

interface LargestRow {
  key: string
  what: ReactNode
  figure: ReactNode
}

function Largest({ rows }: { rows: LargestRow[] | undefined }) {
  if (!rows) return null
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The last count found none.
      </Text>
    )
  return <Figures rows={rows} />
}
