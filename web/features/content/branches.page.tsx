import { ActionIcon, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconGitBranch, IconTag, IconTrash } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { hasRole, isMirror, useRepo } from '../../lib/repo-context.ts'
import { refsQuery } from '../../lib/repo-queries.ts'
import { useMe } from '../../lib/session.ts'
import type { Refs } from '../../lib/types.ts'
import { late } from '../../ui/late.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Sha } from '../../ui/sha.tsx'
import frame from '../../ui/ui.module.css'
import { divergenceQuery } from './queries.ts'
import { PageTitle } from '../../ui/page-title.tsx'

const NewRef = late(() => import('./new-ref.tsx'))
const DeleteRef = late(() => import('./delete-ref.tsx'))

/** Rows that are shown at first. */
const few = 50

type RefRow = Refs['branches'][number]

/** `…/branches`: branches and tags, and how far each branch is from the default one. */
export function Component() {
  const { repo, address } = useRepo()
  const query = useQuery(refsQuery(address))
  return (
    <Stack gap="lg">
      <PageTitle>{`Branches and tags · ${repo.full_name}`}</PageTitle>
      <Loaded query={query}>
        {({ branches, tags }) => (
          <>
            <Section
              title="Branches"
              kind="branch"
              refs={[...branches].sort((a, b) => Number(isDefault(b)) - Number(isDefault(a)))}
              hasCommits={branches.length > 0}
            />
            <Section title="Tags" kind="tag" refs={tags} hasCommits={branches.length > 0} />
          </>
        )}
      </Loaded>
    </Stack>
  )
  function isDefault({ name }: RefRow) {
    return name === repo.default_branch
  }
}

interface SectionProps {
  title: string
  kind: 'branch' | 'tag'
  refs: RefRow[]
  /** Whether there is a revision to begin at. */
  hasCommits: boolean
}

function Section({ title, kind, refs, hasCommits }: SectionProps) {
  const { repo } = useRepo()
  const me = useMe()
  const [isAll, setIsAll] = useState(false)
  const [isMaking, setIsMaking] = useState(false)
  const mayCreate = Boolean(me) && hasRole(repo, 'write') && !isMirror(repo) && hasCommits
  const shown = isAll ? refs : refs.slice(0, few)
  return (
    <section aria-label={title}>
      <Group justify="space-between" mb="xs">
        <Title order={2}>
          {title}{' '}
          <Text span inherit c="dimmed">
            {refs.length}
          </Text>
        </Title>
        {mayCreate && (
          <Button size="xs" variant="default" onClick={() => setIsMaking(true)}>
            New {kind}
          </Button>
        )}
      </Group>
      <Suspense>{isMaking && <NewRef kind={kind} onClose={() => setIsMaking(false)} />}</Suspense>
      {refs.length === 0 ? (
        <Text size="sm" c="dimmed" className={frame['frame']} p="md">
          {kind === 'tag'
            ? 'None yet. A tag names a commit for good, such as a release.'
            : 'None yet. The first commit creates the default branch.'}
        </Text>
      ) : (
        <ul
          className={frame['frame']}
          style={{ margin: 0, padding: 0, listStyle: 'none' }}
          aria-label={title}
        >
          {shown.map((ref) => (
            <Row key={ref.name} kind={kind} found={ref} />
          ))}
        </ul>
      )}
      {shown.length < refs.length && (
        <Button size="xs" variant="default" mt="xs" onClick={() => setIsAll(true)}>
          Show all {refs.length}
        </Button>
      )}
    </section>
  )
}

function Row({ kind, found }: { kind: 'branch' | 'tag'; found: RefRow }) {
  const { repo } = useRepo()
  const me = useMe()
  const [isDeleting, setIsDeleting] = useState(false)
  const isDefault = kind === 'branch' && found.name === repo.default_branch
  const isKept = found.protected === true
  const mayDelete = Boolean(me) && hasRole(repo, isKept ? 'admin' : 'write') && !isMirror(repo) && !isDefault
  const Icon = kind === 'tag' ? IconTag : IconGitBranch
  return (
    <li className={frame['frameRow']}>
      <Group justify="space-between" gap="sm">
        <Group gap={8} miw={0}>
          <Icon size={15} aria-hidden />
          <Anchor component={Link} to={pages.tree(repo, found.name)} ff="monospace" size="sm">
            {found.name}
          </Anchor>
          {isDefault && <Mark>default</Mark>}
          {(isKept && !isDefault) || found.pull_request_only ? (
            <Mark title={found.pull_request_only ? 'Changes need a pull request' : 'Cannot be deleted'}>
              protected
            </Mark>
          ) : null}
          {kind === 'branch' && !isDefault && <Distance head={found.name} />}
        </Group>
        <Group gap="xs">
          {!isDefault && (
            <Anchor component={Link} to={pages.compare(repo, repo.default_branch, found.name)} size="sm">
              Compare
            </Anchor>
          )}
          <Anchor component={Link} to={pages.commits(repo, found.name)} size="sm">
            History
          </Anchor>
          <Sha sha={found.target_commit} label="Copy the full sha" />
          {mayDelete && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Delete the ${kind} ${found.name}`}
              onClick={() => setIsDeleting(true)}
            >
              <IconTrash size={15} />
            </ActionIcon>
          )}
        </Group>
      </Group>
      <Suspense>
        {isDeleting && <DeleteRef kind={kind} name={found.name} onClose={() => setIsDeleting(false)} />}
      </Suspense>
    </li>
  )
}

/** Commits that the branch has and the default branch has not, and the other way round. */
function Distance({ head }: { head: string }) {
  const { repo, address } = useRepo()
  const { data } = useQuery(divergenceQuery(address, { base: repo.default_branch, head }))
  if (data?.ahead === undefined || data.behind === undefined) return null
  return (
    <Text size="xs" c="dimmed" title={`${data.ahead} ahead of ${repo.default_branch}, ${data.behind} behind`}>
      {data.ahead} ahead, {data.behind} behind
    </Text>
  )
}
