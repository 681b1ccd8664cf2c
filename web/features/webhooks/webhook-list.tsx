import { Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { webhooksQuery, type Webhook, type WebhookFilter } from './queries.ts'
import { textOf } from './watches.ts'
import { NewWebhook } from './webhook-form.tsx'

interface WebhookListProps {
  filter: WebhookFilter
  note: string
  /** What a new one is offered to watch. */
  watched: string[]
}

/** The webhooks of a person, an organisation or a repo, and the way to one more. */
export function WebhookList({ filter, note, watched }: WebhookListProps) {
  const query = useInfiniteQuery(webhooksQuery(filter))
  const [isOpen, { open, close }] = useDisclosure(false)
  const create = (
    <Button size="xs" leftSection={<IconPlus size={14} />} onClick={open} w="fit-content">
      New webhook
    </Button>
  )
  return (
    <Section title="Webhooks" note={note}>
      {isOpen && <NewWebhook watched={watched} onClose={close} />}
      <Paged
        query={query}
        empty={
          <EmptyState picture="plug" title="No webhooks here yet" action={create}>
            A webhook tells another server when something happens: a commit, a discussion, a new repo.
          </EmptyState>
        }
      >
        {(webhooks) => (
          <Stack gap="md">
            {create}
            <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {webhooks.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} />
              ))}
            </Stack>
          </Stack>
        )}
      </Paged>
    </Section>
  )
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const { id, url, active, watched, events, last_delivery: last } = webhook
  return (
    <li>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Anchor component={Link} to={pages.webhook(id)} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Anchor>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {events.join(', ')} of {watched.map(textOf).join(', ') || 'nothing any more'}
          </Text>
        </div>
        <Group gap={6} style={{ flexShrink: 0 }}>
          {!active && (
            <Badge size="sm" variant="light" color="gray">
              off
            </Badge>
          )}
          {last && (
            <>
              <DeliveryStatus status={last.status} />
              <Text size="xs" c="dimmed" component="span" visibleFrom="sm">
                <TimeAgo time={last.created_at} />
              </Text>
            </>
          )}
        </Group>
      </Group>
    </li>
  )
}
