import { Button, Group, Text, Title } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { TimeAgo } from '../../ui/facts.tsx'
import { ErrorState } from '../../ui/states.tsx'

interface FetchedHeadProps {
  title: string
  query: UseQueryResult<{ at: string }>
  /** What was done at the time of the answer, such as `Counted`. */
  done: string
  /** What the button says. */
  again: string
  /** More beside the title. */
  children?: ReactNode
}

/** The head of a page that shows one answer: how old it is, and a button that asks again. */
export function FetchedHead({ title, query, done, again, children }: FetchedHeadProps) {
  const refetch = () => void query.refetch()
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Title order={1}>{title}</Title>
        <Group gap="sm">
          {query.data && (
            <Text size="sm" c="dimmed" component="span">
              {done} <TimeAgo time={query.data.at} />
            </Text>
          )}
          {children}
          <Button
            size="xs"
            variant="default"
            leftSection={<IconRefresh size={14} />}
            loading={query.isFetching}
            onClick={refetch}
          >
            {again}
          </Button>
        </Group>
      </Group>
      {query.isRefetchError && <ErrorState error={query.error} onRetry={refetch} />}
    </>
  )
}
