import { Alert, Anchor, Button, Container, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { ApiProblem } from '../../shared/client.ts'
import { formatDuration } from '../lib/format.ts'
import { pages } from '../lib/pages.ts'
import { useSignedOutReason } from '../lib/signed-out.ts'
import { useMe } from '../lib/session.ts'
import { Commands } from './commands/commands.tsx'
import type { Deed } from './commands/deeds.ts'
import type { Illustration } from './illustrations.tsx'
import { Picture } from './picture.tsx'

interface EmptyStateProps {
  title: string
  children?: ReactNode
  /** What does the same from a terminal or a program. */
  deed?: Deed | undefined
  action?: ReactNode
  picture?: Illustration
  /** Whether it stands for the whole page and so bears its heading. */
  isPage?: boolean
}

/** What a list shows when there is nothing: what to do next, here and from a terminal. */
export function EmptyState({
  title,
  children,
  deed,
  action,
  picture = 'box',
  isPage = false,
}: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py={40} px="md">
      <Picture of={picture} />
      <Title order={isPage ? 1 : 2} size="h2" ta="center">
        {title}
      </Title>
      {children && (
        <Text c="dimmed" ta="center" maw={520} component="div">
          {children}
        </Text>
      )}
      {action}
      {deed && <Commands of={deed} />}
    </Stack>
  )
}

/** What went wrong, in the server's words, with the request id to quote and a retry. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const problem = error instanceof ApiProblem ? error : undefined
  const here = useLocation()
  if (problem?.status === 401) return <SignInState next={here.pathname + here.search} />
  if (problem?.status === 404) return <AbsentState problem={problem} />
  const detail = problem?.detail ?? (error instanceof Error ? error.message : String(error))
  return (
    <Alert
      color="danger"
      icon={<IconAlertTriangle size={18} />}
      title={problem?.title ?? 'Something failed'}
      my="md"
    >
      <Stack gap="xs" align="flex-start">
        {detail !== problem?.title && <Text size="sm">{detail}</Text>}
        {problem?.retryAfterS ? (
          <Text size="sm">
            It asks to wait {formatDuration(problem.retryAfterS)} before that is tried again.
          </Text>
        ) : null}
        {problem && <ProblemLine problem={problem} />}
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

/** Whether the catalogue explains a code: not those of the dataset viewer, nor three that stand for answers without any. */
const hasPage = (code: string) =>
  /^[a-z-]+$/.test(code) && !['unknown', 'unreachable', 'no-answer'].includes(code)

/** The code, which leads to its fix, and the request id to quote. */
function ProblemLine({ problem }: { problem: ApiProblem }) {
  return (
    <Text size="xs" style={{ overflowWrap: 'anywhere', textAlign: 'inherit' }}>
      {hasPage(problem.code) ? (
        <Anchor component={Link} to={pages.problem(problem.code)} inherit underline="always">
          {problem.code}
        </Anchor>
      ) : (
        problem.code
      )}
      {problem.requestId && (
        <>
          {' · request '}
          <Text span ff="monospace" inherit>
            {problem.requestId}
          </Text>
        </>
      )}
    </Text>
  )
}

/** The namespace and the name that an address of a repo has. */
const repoIn = (path: string) =>
  path
    .replace(/^\/datasets\//, '/')
    .slice(1)
    .split('/')

/** What is absent or hidden; the two look the same, and somebody who is not signed in may be the cause. */
function AbsentState({ problem }: { problem: ApiProblem }) {
  const me = useMe()
  const { pathname, search } = useLocation()
  const [, name] = problem.code === 'repo-not-found' ? repoIn(pathname) : []
  return (
    <EmptyState
      isPage
      picture="search"
      title={problem.title}
      action={
        <Stack gap="sm" align="center" ta="center">
          <Group gap="xs">
            {me === null && (
              <Button size="xs" component={Link} to={pages.login(pathname + search)}>
                Sign in
              </Button>
            )}
            {name && (
              <Button
                size="xs"
                variant="default"
                component={Link}
                to={pages.search({ q: name, in: 'names' })}
              >
                Search for {name}
              </Button>
            )}
          </Group>
          <ProblemLine problem={problem} />
        </Stack>
      }
    >
      {problem.detail && problem.detail !== problem.title && <p>{problem.detail}</p>}
      It may have been moved or deleted, or it may be private: what you may not read looks the same as what
      does not exist.
    </EmptyState>
  )
}

/** What a page that needs an account shows to anonymous visitors. */
export function SignInState({ next }: { next: string }) {
  const reason = useSignedOutReason()
  return (
    <EmptyState
      isPage
      picture="lock"
      title="Sign in to see this"
      action={
        <Button component={Link} to={pages.login(next)}>
          Sign in
        </Button>
      }
    >
      {reason ?? 'This page is shown to people with an account on this server.'}
    </EmptyState>
  )
}

const slowMs = 8000

/** Says of what takes long that it is still awaited. */
function Slow() {
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), slowMs)
    return () => clearTimeout(timer)
  }, [])
  return isSlow && <Text c="dimmed">The server takes longer than usual. It is still being waited for.</Text>
}

/** Rows that stand where a list will be. */
export function ListSkeleton({ rows = 6, height = 40 }: { rows?: number; height?: number }) {
  return (
    <Stack gap="xs" aria-busy="true" role="status" aria-label="Loading">
      <Slow />
      {Array.from({ length: rows }, (_, i) => (
        <Skeleton key={i} height={height} />
      ))}
    </Stack>
  )
}

/** A page whose code is still awaited. */
export function PageLoading() {
  return (
    <Container size={1280}>
      <PageSkeleton />
    </Container>
  )
}

/** What stands where a page's text will be. */
export function PageSkeleton() {
  return (
    <Stack gap="md" py="lg" aria-busy="true" role="status" aria-label="Loading">
      <Slow />
      <Skeleton height={24} width="40%" />
      <Group gap="xs">
        <Skeleton height={16} width={80} />
        <Skeleton height={16} width={120} />
      </Group>
      <Skeleton height={320} />
    </Stack>
  )
}
