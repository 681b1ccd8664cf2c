import { Anchor, Badge, Group, Stack, Text } from '@mantine/core'
import { IconHeart } from '@tabler/icons-react'
import { memo } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import type { Repo } from '../../lib/types.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CountNumber, Size, TimeAgo } from '../../ui/facts.tsx'
import classes from './repos.module.css'

/** Repos one below the other: name, what it is, how large, how recent, how liked. */
export function RepoRows({ repos, withType = false }: { repos: Repo[]; withType?: boolean }) {
  return (
    <ul className={classes['rows']}>
      {repos.map((repo) => (
        <RepoRow key={repo.id} repo={repo} withType={withType} />
      ))}
    </ul>
  )
}

const RepoRow = memo(function RepoRow({ repo, withType }: { repo: Repo; withType: boolean }) {
  return (
    <li className={classes['row']}>
      <Stack gap={2} miw={0} flex={1}>
        <Group gap={6} wrap="nowrap" miw={0}>
          <Anchor
            component={Link}
            to={pages.repo(repo)}
            ff="monospace"
            fw={500}
            truncate="end"
            title={repo.full_name}
          >
            {repo.full_name}
          </Anchor>
          <CopyButton text={repo.full_name} label={`Copy ${repo.full_name}`} />
          {withType && (
            <Badge size="xs" variant="default">
              {repo.type}
            </Badge>
          )}
          <RepoBadges repo={repo} size="xs" />
        </Group>
        {repo.description && (
          <Text size="sm" c="dimmed" lineClamp={1}>
            {repo.description}
          </Text>
        )}
      </Stack>
      <Group gap="md" className={classes['numbers'] ?? ''} wrap="nowrap">
        <Size bytes={repo.size_bytes} />
        <Group gap={4} wrap="nowrap">
          <IconHeart size={13} aria-label="Likes" />
          <CountNumber value={repo.likes} />
        </Group>
        <TimeAgo time={repo.updated_at} />
      </Group>
    </li>
  )
})

/** What sets a Repo apart from a public, open one. */
export function RepoBadges({ repo, size = 'sm' }: { repo: Repo; size?: 'xs' | 'sm' }) {
  return (
    <>
      {repo.visibility === 'private' && (
        <Badge size={size} variant="light" color="caution">
          private
        </Badge>
      )}
      {repo.gated && (
        <Badge size={size} variant="light" color="pending">
          gated
        </Badge>
      )}
      {repo.deleted_at && (
        <Badge size={size} variant="light" color="danger">
          deleted
        </Badge>
      )}
    </>
  )
}
