import { Alert, Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { labelColors, limits, type LabelColor } from '../../../../shared/vocabulary.ts'
import { showProblem } from '../../../lib/form-errors.ts'
import { notifyProblem } from '../../../lib/notify.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { useUnsaved } from '../../../lib/unsaved.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import frame from '../../../ui/ui.module.css'
import { LabelChip, type Label } from './label-chip.tsx'
import { labelsQuery, useCreateLabel, useDeleteLabel, useUpdateLabel, type NewLabel } from './queries.ts'

/** The labels of a repo: added, changed and deleted here. */
export default function LabelManager({ onClose }: { onClose: () => void }) {
  const { address } = useRepo()
  const query = useQuery(labelsQuery(address))
  return (
    <Dialog onClose={onClose} title="Labels" size="lg">
      <Loaded query={query}>{({ items }) => <Labels labels={items} />}</Loaded>
    </Dialog>
  )
}

function Labels({ labels }: { labels: Label[] }) {
  const { address } = useRepo()
  const create = useCreateLabel(address)
  const [isAdding, setIsAdding] = useState(labels.length === 0)
  return (
    <Stack gap="sm">
      {labels.length === 0 && (
        <Text size="sm" c="dimmed">
          Labels sort discussions and pull requests, such as by what they are about or how urgent they are.
          This repo has none yet.
        </Text>
      )}
      {labels.length > 0 && (
        <ul
          className={frame['frame']}
          style={{ margin: 0, padding: 0, listStyle: 'none' }}
          aria-label="Labels of this repo"
        >
          {labels.map((label) => (
            <li key={label.id} className={frame['frameRow']}>
              <Row label={label} />
            </li>
          ))}
        </ul>
      )}
      {isAdding ? (
        <LabelForm
          action="Add the label"
          isPending={create.isPending}
          onCancel={labels.length === 0 ? undefined : () => setIsAdding(false)}
          onSave={(body, onError) => create.mutate(body, { onSuccess: () => setIsAdding(false), onError })}
        />
      ) : (
        <Button
          size="xs"
          variant="default"
          w="fit-content"
          disabled={labels.length >= limits.labels}
          onClick={() => setIsAdding(true)}
        >
          Add a label
        </Button>
      )}
      {labels.length >= limits.labels && (
        <Text size="xs" c="dimmed">
          A repo has at most {limits.labels} labels.
        </Text>
      )}
    </Stack>
  )
}

function Row({ label }: { label: Label }) {
  const { address } = useRepo()
  const update = useUpdateLabel(address, label.id)
  const remove = useDeleteLabel(address, label.id)
  const [is, setIs] = useState<'shown' | 'edited' | 'asked'>('shown')
  const { name, color, description } = label
  if (is === 'edited')
    return (
      <LabelForm
        initial={label}
        action="Save"
        isPending={update.isPending}
        onCancel={() => setIs('shown')}
        onSave={(body, onError) => update.mutate(body, { onSuccess: () => setIs('shown'), onError })}
      />
    )
  return (
    <Group justify="space-between" gap="xs">
      <div style={{ minWidth: 0, flex: '1 1 180px' }}>
        <LabelChip name={name} color={color} />
        {description && (
          <Text size="xs" c="dimmed" mt={2} style={{ overflowWrap: 'anywhere' }}>
            {description}
          </Text>
        )}
        {is === 'asked' && (
          <Text size="sm" mt={4} role="alert">
            This takes {name} off all discussions.
          </Text>
        )}
      </div>
      {is === 'asked' ? (
        <Group gap="xs">
          <Button
            size="xs"
            color="danger"
            autoFocus
            loading={remove.isPending}
            onClick={() => remove.mutate(undefined, { onError: notifyProblem })}
          >
            Delete it
          </Button>
          <Button size="xs" variant="default" onClick={() => setIs('shown')}>
            Keep it
          </Button>
        </Group>
      ) : (
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            aria-label={`Edit the label ${name}`}
            onClick={() => setIs('edited')}
          >
            Edit
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={`Delete the label ${name}`}
            onClick={() => setIs('asked')}
          >
            Delete
          </Button>
        </Group>
      )}
    </Group>
  )
}

interface LabelFormProps {
  initial?: Label
  action: string
  isPending: boolean
  onCancel?: (() => void) | undefined
  /** Calls `onError` with what was refused. */
  onSave: (label: NewLabel, onError: (error: unknown) => void) => void
}

function LabelForm({ initial, action, isPending, onCancel, onSave }: LabelFormProps) {
  const { name = '', color = 'blue', description = '' } = initial ?? {}
  const form = useForm<{ name: string; color: LabelColor; description: string }>({
    initialValues: { name, color, description },
  })
  const [fault, setFault] = useState<string>()
  useUnsaved(form.isDirty() && !isPending)
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    onSave(values, (error) => setFault(showProblem(form, error)))
  })
  return (
    <form onSubmit={submit} aria-label={initial ? `Label ${name}` : 'New label'}>
      <Stack gap="sm">
        {fault && <Alert color="danger">{fault}</Alert>}
        <TextInput
          size="xs"
          label="Name"
          required
          autoFocus
          autoComplete="off"
          maxLength={limits.labelName}
          {...form.getInputProps('name')}
        />
        <TextInput
          size="xs"
          label="Description"
          autoComplete="off"
          maxLength={limits.labelDescription}
          {...form.getInputProps('description')}
        />
        <Radio.Group label="Colour" {...form.getInputProps('color')}>
          <Group gap="sm" mt={6}>
            {labelColors.map((each) => (
              <Radio
                key={each}
                size="xs"
                value={each}
                label={<LabelChip name={each} color={each} />}
                styles={{ body: { alignItems: 'center' } }}
              />
            ))}
          </Group>
        </Radio.Group>
        <Group gap="xs">
          <Button size="xs" type="submit" loading={isPending}>
            {action}
          </Button>
          {onCancel && (
            <Button size="xs" variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  )
}
