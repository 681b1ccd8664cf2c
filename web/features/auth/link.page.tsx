import { Alert, Button, Container, Divider, List, Paper, Stack, Text, Title } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { ApiProblem, type Operations } from '../../../shared/client.ts'
import { api } from '../../lib/api.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { askMe, becomePerson } from '../../lib/session.ts'
import { providersQuery } from '../../lib/sign-in.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { AccountForm } from './account-form.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

type Info = Operations['getLink']['result']
type Done = Operations['redeemLink']['result']

const linkQuery = (secret: string) =>
  queryOptions({
    queryKey: ['auth', 'link', secret],
    queryFn: ({ signal }) => api.getLink({ params: { secret } }, { signal }),
    retry: false,
    // A link that was used is unknown; asking again would count as a failed attempt.
    staleTime: Infinity,
  })

/** `/links/{secret}`: says what a link is for. Only the button redeems it. */
export function Component() {
  const { secret = '' } = useParams()
  const query = useQuery(linkQuery(secret))
  const [done, setDone] = useState<Done>()
  const isGone = query.error instanceof ApiProblem && query.error.status === 404
  return (
    <Container size={440} py={64}>
      <PageTitle>Link</PageTitle>
      {done ? (
        <Redeemed done={done} />
      ) : isGone ? (
        <EmptyState picture="key" isPage title="This link no longer works">
          A link works once, for 72 hours. A new one ends the one before. Ask an admin of this server for a
          new link.
        </EmptyState>
      ) : (
        <Loaded query={query}>
          {(info) => (
            <Paper withBorder p="lg">
              <Stack gap="md">
                <Purpose secret={secret} info={info} onDone={setDone} />
                <Text size="xs" c="dimmed">
                  This link works once and expires <TimeAgo time={info.expires_at} />.
                </Text>
              </Stack>
            </Paper>
          )}
        </Loaded>
      )}
    </Container>
  )
}

interface PurposeProps {
  secret: string
  info: Info
  onDone: (done: Done) => void
}

function Purpose(props: PurposeProps) {
  const { kind } = props.info
  if (kind === 'invite') return <Invite {...props} />
  return kind === 'reset' ? <Reset {...props} /> : <Email {...props} />
}

function Invite({ secret, info, onDone }: PurposeProps) {
  const cache = useQueryClient()
  const providers = useQuery(providersQuery)
  const local = providers.data?.local
  return (
    <>
      <Title order={1}>You are invited</Title>
      {info.note && <Text>{info.note}</Text>}
      <Text size="sm" component="div">
        {info.username ? (
          <>
            Your username will be <b>{info.username}</b>.
          </>
        ) : (
          local && 'Choose a username and a password.'
        )}
        {local === false && ' Sign in with a provider to make your account.'}
        <List size="sm" mt="xs">
          {info.email && <List.Item>Email address: {info.email}</List.Item>}
          {info.is_admin && <List.Item>You will be an admin of this server.</List.Item>}
          {info.orgs?.map(({ ns, role }) => (
            <List.Item key={ns}>
              Role {role} in {ns}
            </List.Item>
          ))}
        </List>
      </Text>
      <Loaded query={providers}>
        {({ providers: all }) => (
          <>
            <ProviderButtons providers={all} query={{ invite: secret }} />
            {local && all.length > 0 && <Divider label="or" />}
            {local && (
              <AccountForm
                fields={info.username ? [] : ['username']}
                action="Create account"
                onSubmit={async ({ username, password }) => {
                  const body = { password, ...(info.username ? {} : { username }) }
                  const done = await api.redeemLink({ params: { secret }, body })
                  onDone(done)
                  becomePerson(cache, await askMe())
                }}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

function Reset({ secret, info, onDone }: PurposeProps) {
  return (
    <>
      <Title order={1}>Set a new password</Title>
      <Text size="sm">
        For the account <b>{info.username}</b>. Every browser that is signed in as {info.username} is signed
        out.
      </Text>
      <AccountForm
        fields={['revoke_tokens']}
        action="Set password"
        onSubmit={async ({ password, revoke_tokens }) =>
          onDone(await api.redeemLink({ params: { secret }, body: { password, revoke_tokens } }))
        }
      />
    </>
  )
}

function Email({ secret, info, onDone }: PurposeProps) {
  const [isSending, setIsSending] = useState(false)
  const confirm = () => {
    setIsSending(true)
    api
      .redeemLink({ params: { secret }, body: {} })
      .then(onDone, notifyProblem)
      .finally(() => setIsSending(false))
  }
  return (
    <>
      <Title order={1}>Confirm your email address</Title>
      <Text size="sm">
        <b>{info.email}</b> becomes the address of the account <b>{info.username}</b>.
      </Text>
      <Button onClick={confirm} loading={isSending}>
        Confirm the address
      </Button>
    </>
  )
}

const titles = {
  invite: 'Your account is ready',
  reset: 'Your password is set',
  email: 'Your email address is confirmed',
}

function Redeemed({ done: { kind, username, notices } }: { done: Done }) {
  const isIn = kind === 'invite'
  return (
    <EmptyState
      picture="key"
      isPage
      title={titles[kind]}
      action={
        <Button component={Link} to={isIn ? '/' : '/login'}>
          {isIn ? 'Continue' : 'Go to the sign-in page'}
        </Button>
      }
    >
      {isIn && `You are signed in as ${username}.`}
      {kind === 'reset' && 'Sign in with the new password.'}
      {notices.map((notice) => (
        <Alert key={notice} color="caution" mt="sm">
          {notice}
        </Alert>
      ))}
    </EmptyState>
  )
}
