import { Group, Progress, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatCompact, formatExact } from '../../lib/format.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import { metadataQuery } from './queries.ts'

/** Colours of the bars, most parameters first. */
const colors = ['accent', 'safe', 'caution', 'pending', 'gray']

/** The parameters of a model by how they are stored. */
export function Dtypes({ repo, address }: { repo: Repo; address: RepoAddress }) {
  const { data, isPending } = useQuery(metadataQuery(address))
  // Most models have one dtype: what is below stays where it is.
  if (isPending) return <Skeleton height={64} />
  const counts = Object.entries(data?.parameters_by_dtype ?? {}).sort(([, a], [, b]) => b - a)
  const total = counts.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return null
  return (
    <Stack component="section" gap={6} aria-label={`Parameters of ${repo.name} by dtype`}>
      <Text size="sm" fw={600}>
        Parameters by dtype
      </Text>
      <Progress.Root size={8} aria-hidden>
        {counts.map(([dtype, count], i) => (
          <Progress.Section
            key={dtype}
            value={(count / total) * 100}
            color={colors[Math.min(i, colors.length - 1)] ?? 'gray'}
          />
        ))}
      </Progress.Root>
      {counts.map(([dtype, count]) => (
        <Group key={dtype} justify="space-between" gap="sm">
          <Text size="sm" c="dimmed" ff="monospace">
            {dtype}
          </Text>
          <Text size="sm" title={formatExact(count)}>
            {formatCompact(count)}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
