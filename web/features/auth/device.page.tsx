import { Alert, Button, Container, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { ApiProblem } from '../../../shared/client.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { FactTable } from '../../ui/fact-table.tsx'
import { TimeAgo } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { SignedIn } from '../../ui/signed-in.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { deviceQuery, useDecideDevice } from './queries.ts'
import { PageTitle } from '../../ui/page-title.tsx'

/** `/device`: lets a command line that waits elsewhere sign in as this person. Nothing is approved by opening the page. */
export function Component() {
  const [search] = useSearchParams()
  const given = search.get('code') ?? search.get('user_code') ?? ''
  const [code, setCode] = useState(given)
  return (
    <SignedIn>
      {() => (
        <Container size={520} py={48}>
          <PageTitle>Sign in a device</PageTitle>
          <Paper withBorder p="xl">
            <Stack gap="md">
              <img src="/assets/icon-1.svg" alt="" width={40} height={40} />
              <Title order={1}>Sign in a device</Title>
              {code ? (
                <Decision key={code} code={code} onOther={() => setCode('')} />
              ) : (
                <CodeForm onCode={setCode} />
              )}
            </Stack>
          </Paper>
        </Container>
      )}
    </SignedIn>
  )
}

function CodeForm({ onCode }: { onCode: (code: string) => void }) {
  const [text, setText] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onCode(text.trim().toUpperCase())
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Code"
          description="The code that the command line shows, such as BCDF-GHJK"
          size="md"
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          required
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth>
          Continue
        </Button>
      </Stack>
    </form>
  )
}

function Decision({ code, onOther }: { code: string; onOther: () => void }) {
  const query = useQuery(deviceQuery(code))
  const decide = useDecideDevice()
  const [decided, setDecided] = useState<'approve' | 'deny'>()
  const choose = (decision: 'approve' | 'deny') =>
    decide.mutate(
      { user_code: code, decision },
      { onSuccess: () => setDecided(decision), onError: notifyProblem },
    )
  if (decided)
    return (
      <EmptyState
        picture={decided === 'approve' ? 'shield' : 'lock'}
        title={decided === 'approve' ? 'The device is signed in' : 'Request denied'}
      >
        {decided === 'approve'
          ? 'Go back to the command line; it continues by itself.'
          : 'The code of the device no longer works.'}
      </EmptyState>
    )
  if (query.error instanceof ApiProblem && query.error.status === 404)
    return (
      <EmptyState
        picture="search"
        title="No device waits under this code"
        action={
          <Button size="xs" onClick={onOther}>
            Enter another code
          </Button>
        }
      >
        It may have expired, or have been used. Start again on the command line.
      </EmptyState>
    )
  return (
    <Loaded query={query}>
      {(request) => (
        <Stack gap="md">
          <Who code={code} request={request} />
          <Alert color="caution" icon={<IconAlertTriangle size={18} />} title="Compare the code">
            Approve only if you started this yourself and the code above is the one on your screen. Never
            approve a code that someone else sent you.
          </Alert>
          <Group grow>
            <Button
              size="lg"
              color="danger"
              variant="default"
              loading={decide.isPending}
              onClick={() => choose('deny')}
            >
              Deny
            </Button>
            <Button size="lg" loading={decide.isPending} onClick={() => choose('approve')}>
              Approve
            </Button>
          </Group>
          <Button variant="subtle" size="xs" onClick={onOther}>
            Enter another code
          </Button>
        </Stack>
      )}
    </Loaded>
  )
}

interface WhoProps {
  code: string
  request: { client_name: string; ip: string; created_at: string; scopes: string[] }
}

function Who({ code, request }: WhoProps) {
  const rows: [string, React.ReactNode][] = [
    ['Client', request.client_name],
    ['Address', request.ip],
    ['Asked', <TimeAgo key="t" time={request.created_at} />],
    ['May', request.scopes.join(', ')],
  ]
  return (
    <Paper withBorder p="md">
      <Text ff="monospace" fz="2xl" fw={600} ta="center" lts={2} mb="sm" aria-label={`Code ${code}`}>
        {code}
      </Text>
      <FactTable rows={rows} />
    </Paper>
  )
}
