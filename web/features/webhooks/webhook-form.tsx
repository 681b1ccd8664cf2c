import { Alert, Button, Checkbox, Stack, TagsInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { webhookEvents, type WebhookEvent } from '../../../shared/vocabulary.ts'
import { showProblem } from '../../lib/form-errors.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormActions } from '../../ui/form-actions.tsx'
import { useCreateWebhook, useUpdateWebhook, type Webhook } from './queries.ts'
import { textOf, watchOf } from './watches.ts'

const labels: Record<WebhookEvent, string> = {
  repo: 'Repos: created, moved, deleted, restored',
  'repo.content': 'Content: commits, branches, tags, merges',
  'repo.config': 'Settings: visibility, gating, default branch',
  discussion: 'Discussions and pull requests: opened, closed, retitled, merged',
  'discussion.comment': 'Comments: written, edited, hidden',
  job: 'Jobs: finished',
}

interface Values extends Record<string, unknown> {
  url: string
  watched: string[]
  events: string[]
  secret: string
  secret_header: boolean
}

const valuesOf = (webhook: Webhook | undefined, watched: string[]): Values => ({
  url: webhook?.url ?? '',
  watched: webhook ? webhook.watched.map(textOf) : watched,
  events: webhook ? [...webhook.events] : ['repo', 'repo.content', 'discussion'],
  secret: '',
  secret_header: webhook?.secret_header ?? false,
})

const bodyOf = ({ url, watched, events, secret, secret_header }: Values) => ({
  url,
  watched: watched.map(watchOf),
  events: webhookEvents.filter((event) => events.includes(event)),
  secret_header,
  // Left alone, an old one stays and a new webhook is given one.
  ...(secret === '' ? {} : { secret }),
})

/** Registers a webhook and shows its secret the one time it can be seen. `watched` is what is offered to be watched. */
export function NewWebhook({ watched, onClose }: { watched: string[]; onClose: () => void }) {
  const create = useCreateWebhook()
  const { data } = create
  if (data) return <Secret secret={data.secret} onClose={onClose} />
  return (
    <Dialog onClose={onClose} title="New webhook" size="lg">
      <Fields
        start={valuesOf(undefined, watched)}
        action="Create"
        secretNote="Left empty, one is made and shown once"
        isPending={create.isPending}
        onSubmit={(values, onError) => create.mutate(bodyOf(values), { onError })}
        onClose={onClose}
      />
    </Dialog>
  )
}

/** Changes a webhook. */
export function EditWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const update = useUpdateWebhook(webhook.id)
  return (
    <Dialog onClose={onClose} title="Edit webhook" size="lg">
      <Fields
        start={valuesOf(webhook, [])}
        action="Save"
        secretNote={webhook.has_secret ? 'Left empty, the present one stays' : 'It has none yet'}
        isPending={update.isPending}
        onSubmit={(values, onError) => update.mutate(bodyOf(values), { onSuccess: onClose, onError })}
        onClose={onClose}
      />
    </Dialog>
  )
}

interface FieldsProps {
  start: Values
  action: string
  secretNote: string
  isPending: boolean
  onSubmit: (values: Values, onError: (error: unknown) => void) => void
  onClose: () => void
}

function Fields({ start, action, secretNote, isPending, onSubmit, onClose }: FieldsProps) {
  const form = useForm<Values>({ initialValues: start })
  const [fault, setFault] = useState<string>()
  useUnsaved(form.isDirty())
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    onSubmit(values, (error) => setFault(showProblem(form, error)))
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {fault && <Alert color="danger">{fault}</Alert>}
        <TextInput
          label="Address"
          description="Gets a POST request for each event"
          placeholder="https://ci.example.com/hooks/models"
          type="url"
          required
          data-autofocus
          {...form.getInputProps('url')}
        />
        <TagsInput
          label="Watches"
          description="A name for all its repos, or models/name/repo, datasets/name/repo"
          {...form.getInputProps('watched')}
        />
        <Checkbox.Group label="Events" {...form.getInputProps('events')}>
          <Stack gap={6} mt={4}>
            {webhookEvents.map((event) => (
              <Checkbox key={event} value={event} label={labels[event]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <TextInput
          label="Secret"
          description={secretNote}
          autoComplete="off"
          {...form.getInputProps('secret')}
        />
        <Checkbox
          label="Also send the secret as X-Webhook-Secret"
          description="For receivers made for the public hub; others check the signature"
          {...form.getInputProps('secret_header', { type: 'checkbox' })}
        />
        <FormActions isPending={isPending} onClose={onClose}>
          {action}
        </FormActions>
      </Stack>
    </form>
  )
}

function Secret({ secret, onClose }: { secret: string | undefined; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Webhook created" closeOnClickOutside={false}>
      <Stack gap="sm">
        <Alert color="caution" title="Copy its secret now">
          It is shown this once. Receivers check with it that a message is from here, as Standard Webhooks
          describes.
        </Alert>
        {secret && <CommandLine label="Secret" command={secret} />}
        <Button onClick={onClose} w="fit-content">
          Done
        </Button>
      </Stack>
    </Dialog>
  )
}
