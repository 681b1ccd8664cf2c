import { Anchor, Avatar, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatDays, formatExact } from '../../lib/format.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'
import { CountNumber } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import classes from './content.module.css'
import { contributorsQuery, type Contributor } from './queries.ts'

/** So many stand beside the history until all are asked for. */
const shownFirst = 10

/** Who made the commits that lead to a revision. */
export function Contributors({ rev }: { rev: string }) {
  const { address } = useRepo()
  const query = useQuery(contributorsQuery(address, rev))
  const [hasAll, setHasAll] = useState(false)
  return (
    <Stack gap="xs" component="section" aria-label="Contributors">
      <Group justify="space-between">
        <Title order={2} fz="sm">
          Contributors
        </Title>
        {query.data && (
          <Text size="sm" component="div">
            <CountNumber value={query.data.total} />
          </Text>
        )}
      </Group>
      <Loaded query={query} skeleton={<Skeleton height={36} />}>
        {({ items, total, commits, is_partial }) => (
          <>
            <ul className={classes['people']}>
              {(hasAll ? items : items.slice(0, shownFirst)).map((person, i) => (
                <ContributorRow key={i} person={person} />
              ))}
            </ul>
            {items.length > shownFirst && (
              <Button size="xs" variant="default" aria-expanded={hasAll} onClick={() => setHasAll(!hasAll)}>
                {hasAll ? 'Show fewer' : showMore(items.length, total)}
              </Button>
            )}
            {is_partial && (
              <Text size="xs" c="dimmed">
                Of the newest {formatExact(commits)} commits. Earlier ones are not counted.
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Stack>
  )
}

const showMore = (listed: number, total: number) =>
  total > listed ? `Show ${listed} of ${formatExact(total)}` : `Show all ${listed}`

/** A link where the server knows the person. */
function ContributorRow({ person }: { person: Contributor }) {
  const { username, name, commits, first_commit_at, last_commit_at } = person
  return (
    <Group component="li" gap="xs" wrap="nowrap" align="flex-start">
      {username ? (
        <AvatarPicture ns={username} size={24} />
      ) : (
        <Avatar size={24} radius="xl" name={name} alt="" />
      )}
      <Stack gap={0} miw={0} flex={1}>
        <Group justify="space-between" gap="xs" wrap="nowrap">
          {username ? (
            <Anchor component={Link} to={pages.namespace(username)} size="sm" c="inherit" fw={500} truncate>
              {username}
            </Anchor>
          ) : (
            <Text size="sm" truncate title={name}>
              {name}
            </Text>
          )}
          <Text size="xs" component="span" style={{ whiteSpace: 'nowrap' }}>
            <CountNumber value={commits} /> {commits === 1 ? 'commit' : 'commits'}
          </Text>
        </Group>
        <Text size="xs" c="dimmed">
          {formatDays(first_commit_at, last_commit_at)}
        </Text>
      </Stack>
    </Group>
  )
}
