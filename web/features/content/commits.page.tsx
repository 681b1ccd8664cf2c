import { ActionIcon, Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconFolderOpen } from '@tabler/icons-react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo, useRevPath } from '../../lib/repo-context.ts'
import type { Commit } from '../../lib/types.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { Sha } from '../../ui/sha.tsx'
import { EmptyState } from '../../ui/states.tsx'
import frame from '../../ui/ui.module.css'
import { Author } from './author.tsx'
import { PathBar } from './path-bar.tsx'
import { commitsQuery } from './queries.ts'
import { RevPicker } from './rev-picker.tsx'

/** `…/commits/{rev}/{path}`: what changed, newest first; with a path, what changed there. */
export function Component() {
  const { repo, address } = useRepo()
  const { rev, path } = useRevPath()
  const query = useInfiniteQuery(commitsQuery(address, { rev, path }))
  return (
    <Stack gap="md">
      <title>{`History of ${path || repo.full_name} · Arsenal`}</title>
      <Group gap="sm">
        <RevPicker rev={rev} pageAt={(name) => pages.commits(repo, name, path)} />
        <PathBar rev={rev} path={path} />
        <Anchor component={Link} to={pages.branches(repo)} size="sm" ml="auto">
          Branches and tags
        </Anchor>
      </Group>
      <Paged query={query} empty={<EmptyState title="No commits yet" />}>
        {(commits) =>
          byDay(commits).map(([day, group]) => (
            <section key={day} aria-label={day}>
              <Title order={2} size="h3" c="dimmed" mb={6}>
                {day}
              </Title>
              <div className={frame['frame']}>
                {group.map((commit) => (
                  <CommitRow key={commit.sha} commit={commit} />
                ))}
              </div>
            </section>
          ))
        }
      </Paged>
    </Stack>
  )
}

const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'long' })

function byDay(commits: Commit[]): [day: string, commits: Commit[]][] {
  const days = new Map<string, Commit[]>()
  for (const commit of commits) {
    const day = dayFormat.format(new Date(commit.committed_at))
    days.set(day, [...(days.get(day) ?? []), commit])
  }
  return [...days]
}

function CommitRow({ commit }: { commit: Commit }) {
  const { repo } = useRepo()
  return (
    <Group className={frame['frameRow'] ?? ''} justify="space-between" wrap="nowrap" gap="sm">
      <Stack gap={2} miw={0}>
        <Text
          component={Link}
          to={pages.commit(repo, commit.sha)}
          fw={500}
          c="inherit"
          lineClamp={2}
          title={commit.title}
        >
          {commit.title}
        </Text>
        <Group gap={6}>
          <Author commit={commit} />
          <Text size="xs" c="dimmed" component="div">
            <TimeAgo time={commit.committed_at} />
          </Text>
        </Group>
      </Stack>
      <Group gap="xs" wrap="nowrap">
        <Sha sha={commit.sha} label="Copy the full sha" />
        {/* The commit's own page leads there too, and on a narrow page its title needs the room. */}
        <ActionIcon
          variant="default"
          visibleFrom="xs"
          component={Link}
          to={pages.tree(repo, commit.sha)}
          title="Files at this commit"
          aria-label={`Files at ${commit.sha.slice(0, 8)}`}
        >
          <IconFolderOpen size={14} />
        </ActionIcon>
      </Group>
    </Group>
  )
}
