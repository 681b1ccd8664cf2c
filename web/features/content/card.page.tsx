import { Anchor, Button, Skeleton, Stack } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { IconPencil, IconTags } from '@tabler/icons-react'
import { Suspense, type ComponentType, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useCommitWays } from '../../lib/commit-ways.ts'
import { pages } from '../../lib/pages.ts'
import { hasRole, useRepo } from '../../lib/repo-context.ts'
import type { Repo, RepoAddress, TreeEntry } from '../../lib/types.ts'
import { late } from '../../ui/late.tsx'
import { ErrorState, EmptyState, PageSkeleton } from '../../ui/states.tsx'
import classes from './content.module.css'
import { Document, type DocumentProps } from './document.tsx'
import { ModelTree } from './model-tree.tsx'
import { metadataQuery, treeQuery } from './queries.ts'
import { readmeOf } from './readme.ts'
import { DownloadsLine, Facts, InCollections, Parameters } from './side-column.tsx'
import { TableOfContents } from './table-of-contents.tsx'

const EmptyRepo = late(() => import('./empty-repo.tsx'))
const Quants = late(() => import('./quants.tsx'))
const EvalResults = late(() => import('./eval-results.tsx'))

interface CardPageProps {
  /** What other features show before the card. */
  above?: ReactNode
  /** What shows its text. */
  Text?: ComponentType<DocumentProps> | undefined
}

/** A repo's first page: its card, its facts, its contents. */
export function CardPage({ above, Text = Document }: CardPageProps) {
  const { repo, address } = useRepo()
  const rev = repo.default_branch
  const query = useInfiniteQuery({
    ...treeQuery(address, { rev, path: '' }),
    enabled: repo.head_commit !== undefined,
  })
  if (repo.head_commit === undefined)
    return (
      <Suspense fallback={<PageSkeleton />}>
        <EmptyRepo repo={repo} />
      </Suspense>
    )
  if (query.isError && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <PageSkeleton />
  const readme = readmeOf(query.data.pages.flatMap((page) => page.entries))
  return (
    <div className={classes['card']}>
      <article>
        {above}
        {readme ? (
          <Text key={repo.id} rev={rev} path={readme.path} sizeBytes={readme.size} />
        ) : (
          <NoCard repo={repo} />
        )}
      </article>
      <aside className={classes['side']} aria-label="Facts">
        <Stack gap="lg">
          <DownloadsLine repo={repo} address={address} />
          <Parameters repo={repo} address={address} />
          <Facts repo={repo} />
          {repo.quants.length > 0 && <LateQuants repo={repo} />}
          <ModelTree repo={repo} address={address} />
          <InCollections repo={repo} address={address} />
          <EditCard rev={rev} readme={readme} />
          {readme && <TableOfContents />}
          {repo.type === 'model' && <Results address={address} />}
        </Stack>
      </aside>
    </div>
  )
}

/** Most repos have no quants, and need no code for them. */
function LateQuants({ repo }: { repo: Repo }) {
  // About as high as what will stand there, so that nothing below it jumps.
  const space = <Skeleton height={157 + 28 * Math.min(repo.quants.length, 8)} />
  return (
    <Suspense fallback={space}>
      <Quants repo={repo} space={space} />
    </Suspense>
  )
}

/** Stands last: it comes late, and nothing below it moves. Most cards have no results, and need no code for them. */
function Results({ address }: { address: RepoAddress }) {
  const { data } = useQuery(metadataQuery(address))
  if (!data || data.eval_results.length === 0) return null
  return (
    <Suspense>
      <EvalResults modelIndex={data.eval_results} />
    </Suspense>
  )
}

function EditCard({ rev, readme }: { rev: string; readme: TreeEntry | undefined }) {
  const { repo } = useRepo()
  const [way] = useCommitWays(rev)
  if (!way) return null
  return (
    <Stack gap="xs">
      {readme && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPencil size={14} />}
          component={Link}
          to={pages.editFile(repo, rev, readme.path)}
        >
          {way === 'direct' ? 'Edit the card' : 'Propose a better card'}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTags size={14} />}
        component={Link}
        to={pages.editMetadata(repo, rev)}
      >
        {way === 'direct' ? 'Edit the metadata' : 'Propose better metadata'}
      </Button>
    </Stack>
  )
}

function NoCard({ repo }: { repo: Repo }) {
  return (
    <EmptyState
      title={`This ${repo.type} has no card`}
      action={
        hasRole(repo, 'write') && (
          <Button
            size="xs"
            component={Link}
            to={`${pages.newFile(repo, repo.default_branch)}?name=README.md`}
          >
            Write a README
          </Button>
        )
      }
    >
      A README.md at the top of the repo is shown here.{' '}
      <Anchor component={Link} to={pages.tree(repo, repo.default_branch)} inherit underline="always">
        See its files
      </Anchor>
    </EmptyState>
  )
}
