import { Anchor, Badge, Box, Container, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo, type ReactNode } from 'react'
import { Link, Outlet, useLocation, useParams } from 'react-router'
import { pages, segmentsBelowRepo } from '../../lib/pages.ts'
import { RepoContext } from '../../lib/repo-context.ts'
import { noteRecentRepo } from '../../lib/recent-repos.ts'
import { useMe } from '../../lib/session.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { late } from '../../ui/late.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageSkeleton } from '../../ui/states.tsx'
import { AccessNotice } from './access-notice.tsx'
import { LikeButtons } from './like-buttons.tsx'
import { repoQuery } from './queries.ts'
import { RepoBadges } from './repo-badges.tsx'
import { RepoTabs, tabOf } from './repo-tabs.tsx'
import { RepoTags } from './repo-tags.tsx'
import classes from './repos.module.css'
import { UseMenu } from './use-menu.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { WatchButton } from './watch-button.tsx'

// Few repos ever need them.
const loadDisabled = () => import('./disabled.tsx')
const DisabledContent = late(async () => ({ default: (await loadDisabled()).DisabledContent }))
const DisabledNotice = late(async () => ({ default: (await loadDisabled()).DisabledNotice }))

/** The frame of every page below a repo's address: who it is, its tabs, the page. */
export function RepoLayout({ actions }: { actions: ReactNode }) {
  const { ns = '', name = '' } = useParams()
  const type = useLocation().pathname.startsWith('/datasets/') ? 'datasets' : 'models'
  const address: RepoAddress = useMemo(() => ({ type, ns, name }), [type, ns, name])
  const query = useQuery(repoQuery(address))
  // The rows of a dataset take the whole window, which what stands in it may fill.
  const isWide = segmentsBelowRepo(useLocation().pathname)[0] === 'viewer'
  return (
    <Container
      size={isWide ? '100%' : 1280}
      py="md"
      {...(isWide ? { className: classes['wide'] ?? '' } : {})}
    >
      <PageTitle>{`${ns}/${name}`}</PageTitle>
      <Loaded query={query} skeleton={<PageSkeleton />}>
        {(repo) => <RepoFrame repo={repo} address={address} actions={actions} />}
      </Loaded>
    </Container>
  )
}

interface FrameProps {
  repo: Repo
  address: RepoAddress
  /** What other features do to a repo. */
  actions: ReactNode
}

function RepoFrame({ repo, address, actions }: FrameProps) {
  const context = useMemo(() => ({ repo, address }), [repo, address])
  const { type, ns, name } = repo
  useEffect(() => noteRecentRepo({ type, ns, name }), [type, ns, name])
  return (
    <RepoContext value={context}>
      <RepoHeader repo={repo} address={address} actions={actions} />
      <Suspense fallback={<PageSkeleton />}>
        <AccessNotice repo={repo} address={address} />
        {repo.disabled ? <Disabled repo={repo} address={address} disabled={repo.disabled} /> : <Outlet />}
      </Suspense>
    </RepoContext>
  )
}

interface DisabledProps {
  repo: Repo
  address: RepoAddress
  disabled: NonNullable<Repo['disabled']>
}

/** The page below a disabled repo's address: its content is for instance admins alone, the rest for everyone. */
function Disabled({ repo, address, disabled }: DisabledProps) {
  const me = useMe()
  const tab = tabOf(segmentsBelowRepo(useLocation().pathname)[0])
  if (me === undefined) return <PageSkeleton />
  if (!me?.is_admin && (tab === 'card' || tab === 'files' || tab === 'viewer'))
    return <DisabledContent repo={repo} disabled={disabled} />
  return (
    <>
      {me?.is_admin && <DisabledNotice repo={repo} address={address} disabled={disabled} />}
      <Outlet />
    </>
  )
}

/** Who the repo is, on one line; what it is about, on the card alone: elsewhere people look at files and talk. */
function RepoHeader({ repo, address, actions }: FrameProps) {
  const me = useMe()
  const isCard = segmentsBelowRepo(useLocation().pathname).length === 0
  return (
    <Stack gap={isCard ? 'sm' : 'xs'} mb="lg" maw={1248} w="100%" mx="auto">
      <Group justify="space-between" gap="sm">
        <Group gap={10} miw={0}>
          <AvatarPicture ns={repo.ns} size={isCard ? 36 : 24} />
          <Box style={{ overflowWrap: 'anywhere' }}>
            <Title
              order={1}
              size={isCard ? 'h1' : 'h2'}
              className={classes['name'] ?? ''}
              ff="monospace"
              fw={400}
              display="inline"
            >
              <Anchor component={Link} to={pages.namespace(repo.ns)} inherit c="dimmed">
                {repo.ns}
              </Anchor>
              <Text span inherit c="dimmed">
                /
              </Text>
              <Anchor component={Link} to={pages.repo(repo)} inherit fw={650} c="var(--mantine-color-text)">
                {repo.name}
              </Anchor>
            </Title>{' '}
            <CopyButton text={repo.full_name} label="Copy the name" />
          </Box>
          <Badge
            variant="default"
            radius="sm"
            component={Link}
            to={pages.list(repo.type)}
            style={{ cursor: 'pointer' }}
          >
            {repo.type}
          </Badge>
          <RepoBadges repo={repo} />
        </Group>
        <Group gap="xs">
          <LikeButtons repo={repo} address={address} />
          <WatchButton address={address} />
          {actions}
          {(!repo.disabled || me?.is_admin) && <UseMenu repo={repo} />}
        </Group>
      </Group>
      {isCard && repo.description && <Text c="dimmed">{repo.description}</Text>}
      {isCard && <RepoTags repo={repo} />}
      <RepoTabs repo={repo} />
    </Stack>
  )
}
