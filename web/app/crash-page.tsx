import { Button, Container, Group, Text, Title } from '@mantine/core'
import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { ApiProblem } from '../../shared/client.ts'
import { ErrorState } from '../ui/states.tsx'
import { PageTitle } from '../ui/page-title.tsx'

/** Browsers have no code for a chunk that could not be fetched; these are the words of each, and Vite's. */
const missingChunk = /dynamically imported module|Importing a module script failed|Unable to preload CSS/i

function textOf(error: unknown): string {
  if (isRouteErrorResponse(error)) return error.statusText
  const text = error instanceof Error ? error.message : String(error)
  return missingChunk.test(text)
    ? 'A part of it could not be fetched: the server may be out of reach, or have been updated since you came.'
    : text
}

/** What stands in for a page that could not be shown. */
export function CrashPage() {
  const error = useRouteError()
  if (error instanceof ApiProblem)
    return (
      <Container py="lg">
        <ErrorState error={error} onRetry={() => location.reload()} />
      </Container>
    )
  const text = textOf(error)
  return (
    <Container py={64} ta="center">
      <PageTitle>Something failed</PageTitle>
      <Title order={1}>This page could not be shown</Title>
      <Text c="dimmed" my="md">
        {text}
      </Text>
      <Group justify="center">
        <Button onClick={() => location.reload()}>Load again</Button>
        <Button variant="default" component={Link} to="/">
          Home
        </Button>
      </Group>
    </Container>
  )
}
