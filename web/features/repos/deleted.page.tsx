import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useNavigate, Link } from 'react-router'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import type { Repo } from '../../lib/types.ts'
import { Size, TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import frame from '../../ui/ui.module.css'
import { deletedReposQuery, useRestoreRepo, useRestoreWindow } from './queries.ts'

/** `/settings/deleted`: repos that can still be restored. */
export function Component() {
  const query = useInfiniteQuery(deletedReposQuery)
  const window = useRestoreWindow()
  return (
    <Section
      title="Deleted repos"
      note={`A repo can be restored ${window} after it was deleted. Then its files are gone for good.`}
    >
      <Paged
        query={query}
        empty={
          <EmptyState title="Nothing was deleted">
            Repos of yours, and of organisations that you run, are listed here once they are deleted.
          </EmptyState>
        }
      >
        {(repos) => (
          <div className={frame['frame']}>
            {repos.map((repo) => (
              <DeletedRow key={repo.id} repo={repo} />
            ))}
          </div>
        )}
      </Paged>
    </Section>
  )
}

function DeletedRow({ repo }: { repo: Repo }) {
  const restore = useRestoreRepo({ type: `${repo.type}s`, ns: repo.ns, name: repo.name })
  const navigate = useNavigate()
  const start = () =>
    restore.mutate(undefined, {
      onSuccess: (restored) => {
        notifyDone(`${restored.full_name} is restored`)
        void navigate(pages.repo(restored))
      },
      onError: notifyProblem,
    })
  return (
    <Group className={frame['frameRow'] ?? ''} justify="space-between" gap="sm">
      <Stack gap={2} miw={0}>
        <Group gap={8}>
          <Anchor component={Link} to={pages.repo(repo)} ff="monospace" fw={500}>
            {repo.full_name}
          </Anchor>
          <Mark>{repo.type}</Mark>
        </Group>
        <Text size="xs" c="dimmed" component="div">
          {repo.deleted_at && (
            <>
              Deleted <TimeAgo time={repo.deleted_at} />
            </>
          )}
          {repo.restore_until && (
            <>
              , gone for good <TimeAgo time={repo.restore_until} />
            </>
          )}
          {' · '}
          <Size bytes={repo.size_bytes} />
        </Text>
      </Stack>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconArrowBackUp size={14} />}
        loading={restore.isPending}
        aria-label={`Restore ${repo.full_name}`}
        onClick={start}
      >
        Restore
      </Button>
    </Group>
  )
}
