import { Button, Group, SegmentedControl, Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconX } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { jobStatuses, type JobStatus } from '../../../shared/vocabulary.ts'
import { useMe } from '../../lib/session.ts'
import { Paged } from '../../ui/loaded.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/states.tsx'
import classes from '../../ui/ui.module.css'
import { JobTable } from './job-table.tsx'
import { jobsQuery } from './queries.ts'

/** `/jobs`: background work, newest first. */
export function Component() {
  const me = useMe()
  const [search, setSearch] = useSearchParams()
  const status = jobStatuses.find((value) => value === search.get('status'))
  const mine = search.get('all') === null
  const kind = search.get('kind')
  const query = useInfiniteQuery(
    jobsQuery({ mine, ...(status ? { status } : {}), ...(kind ? { kind } : {}) }),
  )
  const set = (key: string, value: string | null) =>
    setSearch((now) => {
      const next = new URLSearchParams(now)
      if (value === null) next.delete(key)
      else next.set(key, value)
      return next
    })
  return (
    <PageFrame title="Jobs">
      <Group mb="md" gap="sm">
        <Select
          aria-label="Status"
          placeholder="Any status"
          clearable
          clearButtonProps={{ 'aria-label': 'Any status' }}
          size="xs"
          data={[...jobStatuses]}
          value={status ?? null}
          onChange={(value) => set('status', value as JobStatus | null)}
        />
        {kind && (
          <Button
            size="xs"
            variant="default"
            rightSection={<IconX size={14} />}
            aria-label={`Only ${kind}: show any kind`}
            onClick={() => set('kind', null)}
          >
            Only {kind}
          </Button>
        )}
        {me?.is_admin && (
          <SegmentedControl
            aria-label="Whose jobs"
            size="xs"
            data={['Mine', 'All']}
            value={mine ? 'Mine' : 'All'}
            onChange={(value) => set('all', value === 'All' ? '' : null)}
          />
        )}
      </Group>
      <Paged query={query} empty={<NoJobs />}>
        {(jobs) => (
          <div className={classes['frame']}>
            <JobTable jobs={jobs} />
          </div>
        )}
      </Paged>
    </PageFrame>
  )
}

function NoJobs() {
  return (
    <EmptyState picture="gears" title="No jobs here">
      Zip exports and other long work appear here while they run and after.
    </EmptyState>
  )
}
