import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ApiProblem } from '../../../../shared/client.ts'
import { useCommitWays } from '../../../lib/commit-ways.ts'
import { pages } from '../../../lib/pages.ts'
import { useRepo, useRevPath } from '../../../lib/repo-context.ts'
import { EmptyState, ErrorState, PageSkeleton } from '../../../ui/states.tsx'
import { NoCommits } from '../no-commits.tsx'
import { textBeforeQuery } from '../queries.ts'
import { readMatter, splitCard } from './front-matter.ts'
import { MetadataForm } from './metadata-form.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'

const path = 'README.md'

/** `…/metadata/{rev}`: the metadata of a card as fields; all else of the card stays as it is. */
export function Component() {
  const { repo, address } = useRepo()
  const { rev } = useRevPath()
  const ways = useCommitWays(rev)
  const query = useQuery(textBeforeQuery(address, { rev, path }))
  const isNew = query.error instanceof ApiProblem && query.error.code === 'entry-not-found'
  const title = <PageTitle>{`Metadata · ${repo.full_name}`}</PageTitle>
  if (query.isPending) return <PageSkeleton />
  if (query.isError && !isNew) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (ways.length === 0) return <NoCommits rev={rev} />
  const before = query.data ?? undefined
  const fault = isNew ? undefined : faultOf(before?.text)
  return (
    <>
      {title}
      {fault === undefined ? (
        <MetadataForm key={rev} rev={rev} path={path} before={before} />
      ) : (
        <EmptyState picture="lock" title="This card cannot be edited by fields">
          <Text>{fault}</Text>
          <Anchor component={Link} to={pages.editFile(repo, rev, path)} underline="always">
            Edit the text of the card
          </Anchor>
        </EmptyState>
      )}
    </>
  )
}

function faultOf(text: string | undefined): string | undefined {
  if (text === undefined) return 'It is larger than 1 MB, or no text in UTF-8.'
  const matter = splitCard(text)
  if (!matter) return 'The metadata block has no closing ---.'
  const read = readMatter(matter.yaml)
  return 'fault' in read ? read.fault : undefined
}
