import { Accordion, Button, Code, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { deliveriesQuery, useRedeliver, type Delivery } from './queries.ts'

/** What a webhook was sent and what was answered, newest first. */
export function DeliveryList({ webhookId }: { webhookId: string }) {
  const query = useInfiniteQuery(deliveriesQuery(webhookId))
  return (
    <Section title="Deliveries" note="Of the last 30 days.">
      <Paged
        query={query}
        empty={
          <EmptyState picture="plug" title="Nothing was sent yet">
            Send a test, or wait for something to happen.
          </EmptyState>
        }
      >
        {(deliveries) => (
          // At once: a press in a panel that still grows misses its button.
          <Accordion variant="separated" multiple transitionDuration={0}>
            {deliveries.map((delivery) => (
              <DeliveryItem key={delivery.id} webhookId={webhookId} delivery={delivery} />
            ))}
          </Accordion>
        )}
      </Paged>
    </Section>
  )
}

function DeliveryItem({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const { id, event, status, created_at, response } = delivery
  return (
    <Accordion.Item value={id}>
      <Accordion.Control>
        <Group gap="xs">
          <DeliveryStatus status={status} />
          <Text size="sm" ff="monospace">
            {event}
          </Text>
          {response && <Text size="sm">{response.status}</Text>}
          <Text size="xs" c="dimmed" component="span">
            <TimeAgo time={created_at} />
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <DeliveryDetail webhookId={webhookId} delivery={delivery} />
      </Accordion.Panel>
    </Accordion.Item>
  )
}

function DeliveryDetail({ webhookId, delivery }: { webhookId: string; delivery: Delivery }) {
  const { attempts, next_attempt_at: next, request, response, error, status } = delivery
  const redeliver = useRedeliver(webhookId)
  const again = () =>
    redeliver.mutate(delivery.id, {
      onSuccess: () => notifyDone('It is on its way again'),
      onError: notifyProblem,
    })
  return (
    <Stack gap="sm">
      <Text size="sm">
        {attempts === 1 ? 'One attempt' : `${attempts} attempts`}
        {response && `, answered in ${response.duration_ms} ms`}
        {next && (
          <>
            , the next <TimeAgo time={next} />
          </>
        )}
        .
      </Text>
      {error && (
        <Text size="sm" c="danger">
          {error}
        </Text>
      )}
      <Part label="Request" headers={request.headers} body={request.body} />
      {response && (
        <Part label={`Response ${response.status}`} headers={response.headers} body={response.body} />
      )}
      {(status === 'succeeded' || status === 'failed') && (
        <Button size="xs" variant="default" w="fit-content" loading={redeliver.isPending} onClick={again}>
          Send again
        </Button>
      )}
    </Stack>
  )
}

function Part({ label, headers, body }: { label: string; headers: Record<string, string>; body: string }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const text = [...lines, ...(body ? ['', readable(body)] : [])].join('\n')
  if (text === '') return null
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {label}
      </Text>
      <Code block tabIndex={0} role="region" aria-label={label} mah={320} style={{ overflow: 'auto' }}>
        {text}
      </Code>
    </div>
  )
}

/** JSON with its lines broken; anything else as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
