import { Alert, Button, Group, Stack, Switch, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from 'react-router'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TimeAgo } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { DeliveryList } from './delivery-list.tsx'
import { useDeleteWebhook, useTestWebhook, useUpdateWebhook, webhookQuery, type Webhook } from './queries.ts'
import { textOf } from './watches.ts'
import { EditWebhook } from './webhook-form.tsx'

/** `/settings/webhooks/{id}`: one webhook and its deliveries. */
export function Component() {
  const { id = '' } = useParams()
  const query = useQuery(webhookQuery(id))
  return (
    <Loaded query={query}>
      {(webhook) => (
        <Stack gap="md">
          <About webhook={webhook} />
          <DeliveryList webhookId={webhook.id} />
        </Stack>
      )}
    </Loaded>
  )
}

function About({ webhook }: { webhook: Webhook }) {
  const { id, url, events, watched, active, failing_since: failing, has_secret, secret_header } = webhook
  const update = useUpdateWebhook(id)
  const test = useTestWebhook(id)
  const [isEditing, edit] = useDisclosure(false)
  const [isDeleting, remove] = useDisclosure(false)
  return (
    <Section title="Webhook">
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
        {url}
      </Text>
      <Text size="sm">
        Sends {events.join(', ')} of {watched.map(textOf).join(', ') || 'nothing any more'}.{' '}
        {has_secret ? 'Messages are signed' : 'Messages are not signed'}
        {has_secret && secret_header ? ' and carry the secret.' : '.'}
      </Text>
      {failing && active && (
        <Alert color="caution">
          Every attempt since <TimeAgo time={failing} /> has failed; after three days it is switched off.
        </Alert>
      )}
      <Switch
        label="Switched on"
        checked={active}
        disabled={update.isPending}
        onChange={(event) =>
          update.mutate({ active: event.currentTarget.checked }, { onError: notifyProblem })
        }
      />
      <Group gap="xs">
        <Button
          size="xs"
          loading={test.isPending}
          onClick={() =>
            test.mutate(undefined, {
              onSuccess: () => notifyDone('A test is on its way'),
              onError: notifyProblem,
            })
          }
        >
          Send a test
        </Button>
        <Button size="xs" variant="default" onClick={edit.open}>
          Edit
        </Button>
        <Button size="xs" variant="outline" color="danger" onClick={remove.open}>
          Delete
        </Button>
      </Group>
      {isEditing && <EditWebhook webhook={webhook} onClose={edit.close} />}
      {isDeleting && <DeleteWebhook webhook={webhook} onClose={remove.close} />}
    </Section>
  )
}

function DeleteWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const remove = useDeleteWebhook(webhook.id)
  const navigate = useNavigate()
  const confirm = () =>
    remove.mutate(undefined, { onSuccess: () => void navigate(pages.webhooks()), onError: notifyProblem })
  return (
    <Dialog onClose={onClose} title="Delete this webhook">
      <Stack gap="sm">
        <Text size="sm">No more events are sent, and its deliveries are deleted.</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button color="danger" loading={remove.isPending} onClick={confirm}>
            Delete webhook
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
