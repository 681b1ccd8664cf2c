import { Anchor, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { Figures } from './figures.tsx'
import { FindingMark, results, summaryOf, type Finding } from './finding-mark.tsx'
import { healthQuery } from './queries.ts'

/** The worst that each check has found. */
export function HealthCard() {
  const query = useQuery(healthQuery)
  return (
    <Section
      title="Health"
      aside={
        <Anchor component={Link} to="/admin/health" size="sm">
          What to do
        </Anchor>
      }
    >
      <Loaded
        query={query}
        skeleton={<Skeleton height={280} role="status" aria-label="Loading" aria-busy="true" />}
      >
        {({ findings }) => (
          <>
            <Text size="sm" fw={600}>
              {summaryOf(findings)}
            </Text>
            <Figures
              rows={worstOf(findings).map(({ check, status }) => [
                check,
                <FindingMark key={check} status={status} />,
              ])}
            />
          </>
        )}
      </Loaded>
    </Section>
  )
}

/** One finding of each check, the worst, in the order of the checks. */
function worstOf(findings: Finding[]): Finding[] {
  const worst = new Map<string, Finding>()
  for (const finding of findings) {
    const known = worst.get(finding.check)
    if (!known || results.indexOf(finding.status) < results.indexOf(known.status))
      worst.set(finding.check, finding)
  }
  return [...worst.values()]
}
