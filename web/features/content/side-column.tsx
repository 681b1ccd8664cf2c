import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { formatCompact, formatExact } from '../../lib/format.ts'
import { sizeInName } from '../../lib/name-size.ts'
import { pages } from '../../lib/pages.ts'
import { statsQuery } from '../../lib/repo-queries.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import { CountNumber, Size, TimeAgo } from '../../ui/facts.tsx'
import classes from './content.module.css'
import { collectionsWithQuery, metadataQuery } from './queries.ts'

interface SideProps {
  repo: Repo
  address: RepoAddress
}

/** Downloads of the last 30 days, as a line that leads to the insights. */
export function DownloadsLine({ repo, address }: SideProps) {
  const { data } = useQuery(statsQuery(address, 30))
  const values = data?.days.map(({ downloads }) => downloads) ?? []
  const most = Math.max(1, ...values)
  const points = values.map(
    (value, i) => `${(i / Math.max(1, values.length - 1)) * 100},${30 - (value / most) * 28}`,
  )
  return (
    <div className={classes['downloads']}>
      <div>
        <Text size="xs" c="dimmed">
          Downloads, 30 days
        </Text>
        <Anchor
          component={Link}
          to={pages.insights(repo)}
          c="var(--mantine-color-text)"
          fz="xl"
          fw={650}
          title={formatExact(repo.downloads_30d)}
        >
          {formatCompact(repo.downloads_30d)}
        </Anchor>
      </div>
      <svg viewBox="0 0 100 32" preserveAspectRatio="none" className={classes['spark']} aria-hidden>
        {points.length > 1 && (
          <>
            <polygon points={`0,32 ${points.join(' ')} 100,32`} />
            <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
          </>
        )}
      </svg>
    </div>
  )
}

/** How many parameters a model has, and in which number formats they are kept. */
export function Parameters({ repo, address }: SideProps) {
  const { data } = useQuery({ ...metadataQuery(address), enabled: repo.parameters !== undefined })
  if (repo.parameters === undefined) {
    const size = repo.type === 'model' && sizeInName(repo.name)
    return size ? <Block title="Parameters" aside={`${size} by its name`} /> : null
  }
  const kinds = Object.entries(data?.parameters_by_dtype ?? {}).toSorted(([, a], [, b]) => b - a)
  const all = kinds.reduce((sum, [, count]) => sum + count, 0)
  return (
    <Block title="Parameters" aside={<CountNumber value={repo.parameters} />}>
      {kinds.length > 0 && (
        <>
          <div className={classes['dtypes']} aria-hidden>
            {kinds.map(([dtype, count]) => (
              <span key={dtype} style={{ flexGrow: Math.max(count / all, 0.02) }} />
            ))}
          </div>
          <Group gap="sm">
            {kinds.map(([dtype, count]) => (
              <Text key={dtype} size="xs" c="dimmed" component="span">
                {dtype} {formatCompact(count)}
              </Text>
            ))}
          </Group>
        </>
      )}
    </Block>
  )
}

/** Collections that the repo is in. */
export function InCollections({ repo, address }: SideProps) {
  const { data } = useQuery(collectionsWithQuery(address))
  if (!data || data.items.length === 0) return null
  return (
    <Block title="In collections">
      <Stack gap={4}>
        {data.items.map((collection) => (
          <Anchor
            key={collection.id}
            component={Link}
            to={pages.collection(collection)}
            size="sm"
            style={{ overflowWrap: 'anywhere' }}
            title={`${collection.title}, with ${repo.full_name}`}
          >
            {collection.title}
          </Anchor>
        ))}
      </Stack>
    </Block>
  )
}

/** Size, files, time, licence and what else is known of a repo. */
export function Facts({ repo }: { repo: Repo }) {
  const rows: [string, ReactNode][] = [
    ['Size', <Size key="size" bytes={repo.size_bytes} />],
    ['Files', <CountNumber key="files" value={repo.file_count} />],
    ...(repo.lfs_bytes > 0
      ? [['Large files, all revisions', <Size key="lfs" bytes={repo.lfs_bytes} />] as [string, ReactNode]]
      : []),
    ...known('Context', repo.context_length, 'tokens'),
    ...known('Rows', repo.rows),
    ...(repo.size_category ? [['Size category', repo.size_category] as [string, ReactNode]] : []),
    ...(repo.modalities.length > 0
      ? [['Modalities', repo.modalities.join(', ')] as [string, ReactNode]]
      : []),
    ...(repo.licence
      ? [
          [
            'Licence',
            <Anchor
              key="licence"
              component={Link}
              to={`${pages.list(repo.type)}?licence=${encodeURIComponent(repo.licence)}`}
              inherit
              underline="always"
            >
              {repo.licence}
            </Anchor>,
          ] as [string, ReactNode],
        ]
      : []),
    ['Updated', <TimeAgo key="time" time={repo.updated_at} />],
  ]
  return (
    <Stack gap={6}>
      {rows.map(([label, value]) => (
        <Group key={label} justify="space-between" gap="sm">
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text size="sm" component="div">
            {value}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}

const known = (label: string, value: number | undefined, unit = ''): [string, ReactNode][] =>
  value === undefined
    ? []
    : [
        [
          label,
          <span key={label}>
            <CountNumber value={value} /> {unit}
          </span>,
        ],
      ]

interface BlockProps {
  title: string
  aside?: ReactNode
  children?: ReactNode
}

/** One subject of the column. */
function Block({ title, aside, children }: BlockProps) {
  return (
    <Stack gap={6} component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={2} fz="sm">
          {title}
        </Title>
        <Text size="sm" component="div">
          {aside}
        </Text>
      </Group>
      {children}
    </Stack>
  )
}
