import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link, useParams } from 'react-router'
import { useCommitWays } from '../../lib/commit-ways.ts'
import { pages } from '../../lib/pages.ts'
import { shellWord } from '../../lib/shell-word.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { CommitDetail } from '../../lib/types.ts'
import { Changes } from '../../ui/diff/changes.tsx'
import { CutNote, isListCut } from '../../ui/diff/cut-note.tsx'
import { DiffView } from '../../ui/diff/file-change.tsx'
import { useIgnoresWhiteSpace, useWhiteSpaceOfAddress } from '../../ui/diff/white-space.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { late } from '../../ui/late.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Sha } from '../../ui/sha.tsx'
import { PageSkeleton } from '../../ui/states.tsx'
import { Author } from './author.tsx'
import { commitQuery, diffQuery } from './diff-queries.ts'
import { PageTitle } from '../../ui/page-title.tsx'

const DataChanges = late(() => import('../../ui/data-changes/data-changes.tsx'))
const RevertCommit = late(() => import('./revert-commit.tsx'))

/** `…/commit/{sha}`: what one commit changed. */
export function Component() {
  const { address } = useRepo()
  const { sha = '' } = useParams()
  const ignoresWhiteSpace = useWhiteSpaceOfAddress()
  const query = useQuery(commitQuery(address, { sha, ignoresWhiteSpace }))
  return (
    <Loaded query={query} skeleton={<PageSkeleton />}>
      {(commit) => <CommitView commit={commit} />}
    </Loaded>
  )
}

function CommitView({ commit }: { commit: CommitDetail }) {
  const { repo } = useRepo()
  const { files, parents } = commit
  const [parent] = parents
  return (
    <Stack gap="md">
      <PageTitle>{`${commit.title} · ${repo.full_name}`}</PageTitle>
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} miw={0}>
          <Title order={2}>{commit.title}</Title>
          {commit.body && (
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {commit.body}
            </Text>
          )}
          <Group gap={8}>
            <Author commit={commit} />
            <Text size="xs" c="dimmed" component="div">
              <TimeAgo time={commit.committed_at} />
            </Text>
            <Sha sha={commit.sha} label="Copy the full sha" />
          </Group>
          <Parents commit={commit} />
        </Stack>
        <Group gap="xs">
          <Revert commit={commit} />
          {commit.sha !== repo.head_commit && (
            <Button
              size="xs"
              variant="default"
              component={Link}
              to={pages.compare(repo, commit.sha, repo.default_branch)}
            >
              Compare with {repo.default_branch}
            </Button>
          )}
          <Button size="xs" variant="default" component={Link} to={pages.tree(repo, commit.sha)}>
            Files at this commit
          </Button>
        </Group>
      </Group>
      {commit.truncated && <CutNote files={files} command={`git show --stat ${commit.sha}`} />}
      {repo.type === 'dataset' && parent !== undefined && (
        <Suspense>
          <DataChanges commits={{ base: parent, head: commit.sha }} />
        </Suspense>
      )}
      <Changes
        files={files}
        pageOf={(path) => pages.blob(repo, commit.sha, path)}
        summary={
          <Text size="sm">
            {files.length}
            {isListCut(files, commit.truncated) && ' or more'} {files.length === 1 ? 'file' : 'files'}{' '}
            changed,{' '}
            <Text span inherit c="safe" fw={600}>
              +{commit.total_additions}
            </Text>{' '}
            <Text span inherit c="danger" fw={600}>
              −{commit.total_deletions}
            </Text>
          </Text>
        }
      >
        {({ path }) => <CommitDiff sha={commit.sha} path={path} />}
      </Changes>
    </Stack>
  )
}

/** Where all files are listed and a pull request can be opened. */
function Revert({ commit }: { commit: CommitDetail }) {
  const { repo } = useRepo()
  const ways = useCommitWays(repo.default_branch)
  const [isOpen, setIsOpen] = useState(false)
  const [parent] = commit.parents
  const isWhole = commit.files.length > 0 && !isListCut(commit.files, commit.truncated)
  if (parent === undefined || !isWhole || !ways.includes('pull_request')) return null
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
        Revert
      </Button>
      <Suspense>
        {isOpen && <RevertCommit commit={commit} parent={parent} onClose={() => setIsOpen(false)} />}
      </Suspense>
    </>
  )
}

function CommitDiff({ sha, path }: { sha: string; path: string }) {
  const { address } = useRepo()
  const ignoresWhiteSpace = useIgnoresWhiteSpace()
  const query = useQuery(diffQuery(address, { sha, ignoresWhiteSpace }, path))
  const command = `git show ${sha} -- ${shellWord(path)}`
  return <Loaded query={query}>{(diff) => <DiffView diff={diff} command={command} head={sha} />}</Loaded>
}

function Parents({ commit }: { commit: CommitDetail }) {
  const { repo } = useRepo()
  if (commit.parents.length === 0) return null
  return (
    <Text size="xs" c="dimmed">
      after{' '}
      {commit.parents.map((parent) => (
        <Anchor key={parent} component={Link} to={pages.commit(repo, parent)} inherit ff="monospace" mr={6}>
          {parent.slice(0, 8)}
        </Anchor>
      ))}
    </Text>
  )
}
