import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { Link, useLocation } from 'react-router'
import { ApiProblem } from '../../../../shared/client.ts'
import { pages } from '../../../lib/pages.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { shellWord } from '../../../lib/shell-word.ts'
import { CodeView } from '../../../ui/code/code-view.tsx'
import { languageOf } from '../../../ui/code/languages.ts'
import { CommandLine } from '../../../ui/command-line.tsx'
import { Size } from '../../../ui/facts.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import frame from '../../../ui/ui.module.css'
import { FileViews } from '../file-views.tsx'
import type { ShownFile } from '../file-page.tsx'
import { sizeOf } from '../kind.ts'
import { blameQuery, textQuery, type Blame } from '../queries.ts'
import { ViewerSkeleton } from '../viewers/viewer-skeleton.tsx'
import { BlameGutter, type Traced } from './blame-gutter.tsx'
import classes from './blame.module.css'
import { heatOf } from './heat.ts'

/** A text whose lines have the commit that wrote them beside them. */
export function BlameView({ listing, file, rev }: ShownFile) {
  const { address } = useRepo()
  // Both are read at one commit, so that lines and commits belong together while the branch moves.
  const at = { rev: listing.commit, path: file.path }
  const blame = useQuery(blameQuery(address, at))
  const text = useQuery({ ...textQuery(address, at, sizeOf(file)), enabled: !isWithout(blame.error) })
  const failed = blame.isError ? blame : text.isError ? text : undefined
  if (isWithout(blame.error)) return <NoBlame problem={blame.error} rev={rev} path={file.path} />
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  return (
    <div className={frame['frame']}>
      <div className={frame['frameHead']}>
        <Group gap="sm">
          <Text size="sm" c="dimmed" component="div">
            <Size bytes={file.size} />
          </Text>
          <FileViews file={file} rev={rev} current="blame" />
        </Group>
        <span className={classes['scale']} aria-hidden>
          <span />
        </span>
      </div>
      {text.data?.text === undefined ? (
        <ViewerSkeleton height="70vh" />
      ) : blame.data?.line_count === 0 ? (
        <Text p="sm" c="dimmed">
          The file is empty.
        </Text>
      ) : (
        <BlamedText text={text.data.text} name={file.name} blame={blame.data} />
      )}
      {blame.data?.truncated && (
        <Stack p="sm" gap={4}>
          <Text size="sm">The lines after the first 20 000 are not traced here.</Text>
          <InClone rev={listing.commit} path={file.path} />
        </Stack>
      )}
    </div>
  )
}

/** Text that is shown at once; who wrote it comes beside it, in a column that is there from the beginning. */
function BlamedText({ text, name, blame }: { text: string; name: string; blame: Blame | undefined }) {
  const traced = useMemo(() => tracedOf(blame), [blame])
  const beside = useCallback(
    (start: number, end: number) => <BlameGutter traced={traced} start={start} end={end} />,
    [traced],
  )
  return <CodeView text={text} language={languageOf(name)} label={`Blame of ${name}`} beside={beside} />
}

function tracedOf(blame: Blame | undefined): Traced[] {
  if (!blame) return []
  const commits = new Map(blame.commits.map((commit) => [commit.sha, commit]))
  const heat = heatOf(blame.commits.map((commit) => commit.committed_at))
  return blame.ranges.flatMap((range) => {
    const commit = commits.get(range.commit)
    return commit ? [{ range, commit, heat: heat(commit.committed_at) }] : []
  })
}

const isWithout = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.code === 'no-blame'

/** A file whose lines are not traced: why, and what shows it all the same. */
function NoBlame({ problem, rev, path }: { problem: ApiProblem; rev: string; path: string }) {
  const { repo } = useRepo()
  const { hash } = useLocation()
  const isText = ['too-large', 'takes-too-long'].includes(String(problem.members['reason']))
  return (
    <EmptyState
      picture="branch"
      title={problem.title}
      action={
        <Button size="xs" variant="default" component={Link} to={pages.blob(repo, rev, path) + hash}>
          Show the file
        </Button>
      }
    >
      <p>{problem.detail}</p>
      {isText && <InClone rev={rev} path={path} />}
    </EmptyState>
  )
}

function InClone({ rev, path }: { rev: string; path: string }) {
  return (
    <CommandLine
      command={`git blame ${shellWord(rev)} -- ${shellWord(path)}`}
      label="To see all of it, run this in a clone"
    />
  )
}
