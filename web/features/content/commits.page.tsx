import { ActionIcon, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconFolderOpen } from '@tabler/icons-react'
import { Link } from 'react-router'
import { problemText } from '../../lib/form-errors.ts'
import { dateFormat } from '../../lib/format.ts'
import { pages } from '../../lib/pages.ts'
import { useRepo, useRevPath } from '../../lib/repo-context.ts'
import type { Commit } from '../../lib/types.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { Sha } from '../../ui/sha.tsx'
import { EmptyState } from '../../ui/states.tsx'
import frame from '../../ui/ui.module.css'
import { Author } from './author.tsx'
import content from './content.module.css'
import { Contributors } from './contributors.tsx'
import { GraphGap, GraphLines, widthOf } from './graph/graph-lines.tsx'
import classes from './graph/graph.module.css'
import { useHistoryRows, type HistoryRow, type Merged } from './graph/use-merged.ts'
import { PathBar } from './path-bar.tsx'
import { commitsQuery } from './queries.ts'
import { RevPicker } from './rev-picker.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

/** `…/commits/{rev}/{path}`: what changed, newest first; with a path, what changed there. */
export function Component() {
  const { repo, address } = useRepo()
  const { rev, path } = useRevPath()
  const query = useInfiniteQuery(commitsQuery(address, { rev, path }))
  return (
    <Stack gap="md">
      <PageTitle>{`History of ${path || repo.full_name}`}</PageTitle>
      <Group gap="sm">
        <RevPicker rev={rev} pageAt={(name) => pages.commits(repo, name, path)} />
        <PathBar rev={rev} path={path} />
        <Anchor component={Link} to={pages.branches(repo)} size="sm" ml="auto">
          Branches and tags
        </Anchor>
      </Group>
      <div className={path === '' ? content['card'] : undefined}>
        <div>
          <Paged query={query} empty={<EmptyState picture="branch" title="No commits yet" />}>
            {(commits) => <History commits={commits} isWhole={path === ''} />}
          </Paged>
        </div>
        {path === '' && query.data && (
          <div>
            <Contributors key={rev} rev={rev} />
          </div>
        )}
      </div>
    </Stack>
  )
}

const formatDay = dateFormat({ dateStyle: 'long' })

/** Commits by day, with the lines of branches and merges beside them where there are any. */
function History({ commits, isWhole }: { commits: Commit[]; isWhole: boolean }) {
  const rows = useHistoryRows(commits)
  const width = isWhole && rows.some(({ merged }) => merged) ? widthOf(rows.map(({ graph }) => graph)) : 0
  return byDay(rows).map(({ day, group, above }, i) => (
    <section key={group[0]?.commit.sha} aria-label={day}>
      <div className={classes['day']} style={inset(width)}>
        {width > 0 && i > 0 && <GraphGap lanes={above} width={width} />}
        <Title order={2} size="h3" c="dimmed">
          {day}
        </Title>
      </div>
      <ul className={`${frame['frame']} ${classes['rows']}`}>
        {group.map((row) => (
          <CommitRow key={row.commit.sha} row={row} width={width} />
        ))}
      </ul>
    </section>
  ))
}

const inset = (width: number) => (width > 0 ? { paddingLeft: width + 18 } : {})

interface Day {
  day: string
  group: HistoryRow[]
  /** Lanes that come down from the day above. */
  above: readonly number[]
}

/** Neighbours of one day stand together; what a merge has brought stands with the merge. */
function byDay(rows: HistoryRow[]): Day[] {
  const days: Day[] = []
  let above: readonly number[] = []
  for (const row of rows) {
    const day = formatDay(row.commit.committed_at)
    const last = days.at(-1)
    if (last && (last.day === day || row.mergedBy !== undefined)) last.group.push(row)
    else days.push({ day, group: [row], above })
    above = row.graph.below
  }
  return days
}

function CommitRow({ row: { commit, graph, merged }, width }: { row: HistoryRow; width: number }) {
  const { repo } = useRepo()
  return (
    <Group
      component="li"
      className={`${frame['frameRow']} ${classes['row']}`}
      style={inset(width)}
      justify="space-between"
      wrap="nowrap"
      gap="sm"
    >
      {width > 0 && <GraphLines row={graph} width={width} isMerge={merged !== undefined} />}
      <Stack gap={2} miw={0}>
        <Text
          component={Link}
          to={pages.commit(repo, commit.sha)}
          fw={500}
          c="inherit"
          lineClamp={2}
          title={commit.title}
          data-row
        >
          {commit.title}
        </Text>
        <Group gap={6}>
          <Author commit={commit} />
          <Text size="xs" c="dimmed" component="div">
            <TimeAgo time={commit.committed_at} />
          </Text>
          {merged && <MergedButton commit={commit} merged={merged} />}
        </Group>
        {commit.is_boundary && (
          <Text size="xs" c="dimmed">
            Earlier history is at the upstream.
          </Text>
        )}
        {merged?.error && (
          <Text size="xs" c="danger" role="alert">
            {problemText(merged.error)}
          </Text>
        )}
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

/** Opens and closes the list of what a merge has brought. */
function MergedButton({ commit, merged }: { commit: Commit; merged: Merged }) {
  const { isShown, isLoading, count, isTruncated, toggle } = merged
  const said = isShown && !isLoading ? `${isTruncated ? `first ${count}` : count} merged` : 'merge'
  return (
    <Button
      size="compact-xs"
      variant="light"
      loading={isLoading}
      aria-expanded={isShown}
      aria-label={`${said}: commits of ${commit.sha.slice(0, 8)}`}
      onClick={toggle}
    >
      {said}
    </Button>
  )
}
