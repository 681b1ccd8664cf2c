import { Anchor, Button, Container, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, Navigate } from 'react-router'
import { api } from '../../lib/api.ts'
import { becomePerson, useMe } from '../../lib/session.ts'
import { providersQuery } from '../../lib/sign-in.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { AccountForm } from './account-form.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

const titles = {
  open: 'Sign in with a provider',
  closed: 'Accounts are made by admins here',
  invite: 'You need an invite',
}

const reasons = {
  open: 'Accounts of this server have no password of their own. A sign-in with a provider may make one for you.',
  closed:
    'On this page people make an account of their own where a server allows it. This one does not: ask one of its admins for an account.',
  invite:
    'On this page people make an account of their own where a server allows it. Here an account begins with an invite: ask an admin of this server for one.',
}

/** `/register`: makes an account, where the server lets people do that by themselves. */
export function Component() {
  const me = useMe()
  const query = useQuery(providersQuery)
  const cache = useQueryClient()
  if (me) return <Navigate to="/" replace />
  return (
    <Container size={420} py={64}>
      <PageTitle>Create an account</PageTitle>
      <Loaded query={query}>
        {({ registration, local }) =>
          registration !== 'open' || !local ? (
            <EmptyState
              picture="key"
              isPage
              title={titles[registration]}
              action={
                <Button component={Link} to="/login">
                  Sign in
                </Button>
              }
            >
              {reasons[registration]}
            </EmptyState>
          ) : (
            <Paper withBorder p="lg">
              <Stack gap="md">
                <Title order={1}>Create an account</Title>
                <AccountForm
                  fields={['username', 'email']}
                  action="Create account"
                  onSubmit={async ({ username, password, email }) =>
                    becomePerson(
                      cache,
                      await api.register({ body: { username, password, ...(email && { email }) } }),
                    )
                  }
                />
                <Text size="sm">
                  You have an account?{' '}
                  <Anchor component={Link} to="/login" inherit underline="always">
                    Sign in
                  </Anchor>
                </Text>
              </Stack>
            </Paper>
          )
        }
      </Loaded>
    </Container>
  )
}
