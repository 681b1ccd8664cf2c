import { Anchor, Button, Container, Divider, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useLocation, useSearchParams } from 'react-router'
import { localPath } from '../../lib/pages.ts'
import { useMe } from '../../lib/session.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { LoginForm } from './login-form.tsx'
import { providersQuery } from '../../lib/sign-in.ts'

/** `/login`, and `/auth/login?local=1` where the form is shown whatever the settings say. */
export function Component() {
  const [search] = useSearchParams()
  const me = useMe()
  const query = useQuery(providersQuery)
  const next = localPath(search.get('next'))
  const isForced = useLocation().pathname === '/auth/login' && search.get('local') === '1'
  if (me) return <Navigate to={next} replace />
  return (
    <Container size={400} py={64}>
      <title>Sign in · Arsenal</title>
      <Paper withBorder p="lg">
        <Stack gap="md">
          <Title order={1}>Sign in</Title>
          <Loaded query={query}>
            {({ local, providers, registration }) => (
              <>
                {providers.map((provider) => (
                  <Button
                    key={provider.id}
                    component="a"
                    href={`${provider.start_url}?next=${encodeURIComponent(next)}`}
                    variant="default"
                  >
                    Continue with {provider.name}
                  </Button>
                ))}
                {providers.length > 0 && (local || isForced) && <Divider label="or" />}
                {(local || isForced) && <LoginForm />}
                {!local && !isForced && providers.length === 0 && (
                  <Text>No sign-in method is enabled. Ask an admin of this server.</Text>
                )}
                {registration === 'closed' && (
                  <Text size="xs" c="dimmed">
                    Accounts are made by the people who run this server.
                  </Text>
                )}
              </>
            )}
          </Loaded>
          <Anchor component={Link} to="/models" size="sm">
            Browse without signing in
          </Anchor>
        </Stack>
      </Paper>
    </Container>
  )
}
