import { Anchor, Button, Group, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Operations } from '../../../shared/client.ts'
import type { WatchLevel } from '../../../shared/vocabulary.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { useWatch, watchedQuery } from '../../lib/watches.ts'
import { Paged } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Section } from '../../ui/section.tsx'
import frame from '../../ui/ui.module.css'

type WatchedRepo = Operations['listWatchedRepos']['result']['items'][number]

const words: Record<WatchLevel, string> = {
  all: 'All activity',
  discussions: 'New discussions and pull requests',
  ignore: 'Mentions alone',
}

/** Repos of which the person has chosen the news. */
export function Watched() {
  const query = useInfiniteQuery(watchedQuery)
  return (
    <Section title="Watched repos" note="Repos of which you have chosen the news.">
      <Paged
        query={query}
        empty={
          <Text size="sm" c="dimmed">
            You watch no repo. Choose “Watch” on the page of one.
          </Text>
        }
      >
        {(items) => (
          <div className={frame['frame']}>
            {items.map((item) => (
              <WatchedRow key={`${item.repo.type}/${item.repo.ns}/${item.repo.name}`} item={item} />
            ))}
          </div>
        )}
      </Paged>
    </Section>
  )
}

function WatchedRow({ item: { repo, level } }: { item: WatchedRepo }) {
  const watch = useWatch({ type: `${repo.type}s`, ns: repo.ns, name: repo.name })
  const name = `${repo.ns}/${repo.name}`
  const text = level === 'ignore' ? 'Stop ignoring' : 'Stop watching'
  return (
    <Group className={frame['frameRow'] ?? ''} justify="space-between" gap="sm">
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Group gap={8}>
          <Anchor component={Link} to={pages.repo(repo)} ff="monospace" fw={500}>
            {name}
          </Anchor>
          <Mark>{repo.type}</Mark>
        </Group>
        <Text size="xs" c="dimmed">
          {words[level]}
        </Text>
      </div>
      <Button
        size="xs"
        variant="default"
        loading={watch.isPending}
        aria-label={`${text}: ${name}`}
        onClick={() => watch.mutate(undefined, { onError: notifyProblem })}
      >
        {text}
      </Button>
    </Group>
  )
}
