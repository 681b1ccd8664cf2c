import { Alert, Anchor, Code, Container, Divider, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { providersQuery } from '../../lib/sign-in.ts'
import { useLook } from '../../lib/look.ts'
import { useSignedOutReason } from '../../lib/signed-out.ts'
import { Logo } from '../../ui/logo.tsx'
import { Welcome } from '../../ui/welcome.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { LoginForm } from './login-form.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import classes from './auth.module.css'
import { PageTitle } from '../../ui/page-title.tsx'

interface SignInCardProps {
  /** Where providers lead back to. */
  next: string
  /** Shows the form whatever the settings say. */
  isForced?: boolean
}

/** Every way to sign in, in one card, and where the first password is. */
export default function SignInCard({ next, isForced = false }: SignInCardProps) {
  const query = useQuery(providersQuery)
  const reason = useSignedOutReason()
  const { welcome } = useLook()
  return (
    <Container size={420} py={{ base: 32, sm: 64 }}>
      <PageTitle>Sign in</PageTitle>
      <Paper withBorder p="xl">
        <Stack gap="md">
          <Stack gap={4}>
            <Logo size={40} />
            <Title order={1} mt="xs">
              Sign in
            </Title>
            {query.data?.anonymous_read === false && (
              <Text size="sm" c="dimmed">
                This server shows its models and datasets to people with an account.
              </Text>
            )}
          </Stack>
          {welcome && <Welcome text={welcome} />}
          {reason && <Alert color="caution">{reason}</Alert>}
          <Loaded query={query}>
            {({ local, providers, registration, passkeys, anonymous_read }) => (
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
                {(local || isForced) && <FirstPassword />}
                {anonymous_read && (
                  <Anchor component={Link} to="/models" size="sm">
                    Browse without signing in
                  </Anchor>
                )}
              </>
            )}
          </Loaded>
        </Stack>
      </Paper>
    </Container>
  )
}

function FirstPassword() {
  return (
    <details className={classes['first']}>
      <summary>Where is the first password?</summary>
      <Text size="xs" c="dimmed" mt={4}>
        At its first start the server makes an admin and writes the password to the file{' '}
        <Code>bootstrap-admin-password</Code> in its data folder, <Code>.arsenal</Code> after{' '}
        <Code>npm start</Code>. The server’s log names the file and the username. The file is removed once the
        admin chooses another password.
      </Text>
    </details>
  )
}
