import { Alert, Anchor, Container, Divider, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate, useLocation, useSearchParams } from 'react-router'
import { localPath } from '../../lib/pages.ts'
import { useMe } from '../../lib/session.ts'
import { useSignedOutReason } from '../../lib/signed-out.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { LoginForm } from './login-form.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { providersQuery } from '../../lib/sign-in.ts'

/** `/login`, and `/auth/login?local=1` where the form is shown whatever the settings say. */
export function Component() {
  const [search] = useSearchParams()
  const me = useMe()
  const query = useQuery(providersQuery)
  const next = localPath(search.get('next'))
  const isForced = useLocation().pathname === '/auth/login' && search.get('local') === '1'
  const reason = useSignedOutReason()
  if (me) return <Navigate to={next} replace />
  return (
    <Container size={400} py={64}>
      <title>Sign in · Arsenal</title>
      <Paper withBorder p="lg">
        <Stack gap="md">
          <Title order={1}>Sign in</Title>
          {reason && <Alert color="caution">{reason}</Alert>}
          <Loaded query={query}>
            {({ local, providers, registration, passkeys }) => (
              <>
                <ProviderButtons providers={providers} query={{ next }} />
                {providers.length > 0 && (local || isForced) && <Divider label="or" />}
                {(local || isForced) && <LoginForm hasPasskeys={passkeys.possible} />}
                {!local && !isForced && providers.length === 0 && (
                  <Text>No sign-in method is enabled. Ask an admin of this server.</Text>
                )}
                {registration === 'open' && local ? (
                  <Anchor component={Link} to="/register" size="sm">
                    Create an account
                  </Anchor>
                ) : (
                  <Text size="xs" c="dimmed">
                    No account yet? Ask an admin of this server
                    {registration === 'invite' ? ' for an invite.' : '.'}
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
