import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconArrowsExchange } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Link, useSearchParams } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { shellWord } from '../../lib/shell-word.ts'
import { Changes } from '../../ui/diff/changes.tsx'
import { CutNote, isListCut } from '../../ui/diff/cut-note.tsx'
import { DiffView } from '../../ui/diff/file-change.tsx'
import { useIgnoresWhiteSpace, useWhiteSpaceOfAddress } from '../../ui/diff/white-space.ts'
import { late } from '../../ui/late.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { comparisonDiffQuery, comparisonQuery, type Comparison } from './diff-queries.ts'
import type { Revisions } from './queries.ts'
import { revName } from './rev-name.ts'
import { RevPicker } from './rev-picker.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

const DataChanges = late(() => import('../../ui/data-changes/data-changes.tsx'))

/** `…/compare?base=…&head=…`: the files that differ between two revisions. */
export function Component() {
  const { repo, address } = useRepo()
  const [search] = useSearchParams()
  const base = search.get('base') || repo.default_branch
  const head = search.get('head') || repo.default_branch
  const ignoresWhiteSpace = useWhiteSpaceOfAddress()
  const query = useQuery(comparisonQuery(address, { base, head }, ignoresWhiteSpace))
  const pageOf = (from: string, to: string) =>
    `${pages.compare(repo, from, to)}${ignoresWhiteSpace ? '&w=1' : ''}`
  return (
    <Stack gap="md">
      <PageTitle>{`${revName(base)} … ${revName(head)} · ${repo.full_name}`}</PageTitle>
      <Group gap="xs">
        <Text size="sm">From</Text>
        <RevPicker rev={base} pageAt={(name) => pageOf(name, head)} />
        <Text size="sm">to</Text>
        <RevPicker rev={head} pageAt={(name) => pageOf(base, name)} />
        <Anchor component={Link} to={pageOf(head, base)} size="sm" aria-label="Swap the revisions">
          <Group gap={4} wrap="nowrap">
            <IconArrowsExchange size={15} /> Swap
          </Group>
        </Anchor>
      </Group>
      <Loaded query={query}>{(compared) => <Compared compared={compared} asked={{ base, head }} />}</Loaded>
    </Stack>
  )
}

function Compared({ compared, asked }: { compared: Comparison; asked: Revisions }) {
  const { repo } = useRepo()
  const { files, truncated, ahead, behind, base_commit: base, head_commit: head } = compared
  if (files.length === 0)
    return (
      <EmptyState picture="branch" title="Nothing differs">
        {base === head
          ? `${revName(asked.base)} and ${revName(asked.head)} are the same commit. Choose another revision above.`
          : 'Both revisions have the same files.'}
      </EmptyState>
    )
  return (
    <Stack gap="md">
      {truncated && <CutNote files={files} command={`git diff --stat ${base} ${head}`} />}
      {repo.type === 'dataset' && (
        <Suspense>
          <DataChanges commits={{ base, head }} />
        </Suspense>
      )}
      <Changes
        files={files}
        pageOf={(path) => pages.blob(repo, head, path)}
        summary={
          <Text size="sm">
            {files.length}
            {isListCut(files, truncated) && ' or more'} {files.length === 1 ? 'file differs' : 'files differ'}
            {ahead !== undefined && behind !== undefined && (
              <Text span inherit c="dimmed">
                {' '}
                · {revName(asked.head)} is {ahead} ahead of {revName(asked.base)} and {behind} behind
              </Text>
            )}
          </Text>
        }
      >
        {({ path }) => <ComparedFile commits={{ base, head }} path={path} />}
      </Changes>
    </Stack>
  )
}

/** By the commits, which never change. */
function ComparedFile({ commits, path }: { commits: Revisions; path: string }) {
  const { address } = useRepo()
  const ignoresWhiteSpace = useIgnoresWhiteSpace()
  const query = useQuery(comparisonDiffQuery(address, { ...commits, ignoresWhiteSpace }, path))
  const command = `git diff ${commits.base} ${commits.head} -- ${shellWord(path)}`
  return (
    <Loaded query={query}>{(diff) => <DiffView diff={diff} command={command} head={commits.head} />}</Loaded>
  )
}
