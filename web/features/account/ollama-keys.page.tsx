import { Alert, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { showProblem } from '../../lib/form-errors.ts'
import { notifyProblem } from '../../lib/notify.ts'
import type { OllamaKey } from '../../lib/types.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { ollamaKeysQuery, useDeleteOllamaKey, useSaveOllamaKey } from './queries.ts'

const printKey = 'cat ~/.ollama/id_ed25519.pub'

/** `/settings/ollama-keys`: the machines whose `ollama` pulls what the user may read. */
export function Component() {
  const query = useInfiniteQuery(ollamaKeysQuery)
  return (
    <Section
      title="Ollama keys"
      note="ollama pulls private models with the key of its machine. A saved key reads what you may read, and changes nothing."
    >
      <Stack gap="lg" className="in-order">
        <Paged
          query={query}
          empty={
            <EmptyState picture="key" title="No keys yet" action={<CommandLine command={printKey} />}>
              Print the public key of the machine that runs ollama, and paste it below:
            </EmptyState>
          }
        >
          {(keys) => (
            <RowTable columns={['Name', 'Key', 'Last used']} hasActions>
              {keys.map((key) => (
                <KeyRow key={key.id} saved={key} />
              ))}
            </RowTable>
          )}
        </Paged>
        <NewKey />
      </Stack>
    </Section>
  )
}

function KeyRow({ saved }: { saved: OllamaKey }) {
  const remove = useDeleteOllamaKey()
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm">{saved.name}</Text>
      </Table.Td>
      <Table.Td data-label="Key">
        <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {saved.fingerprint}
        </Text>
      </Table.Td>
      <Table.Td data-label="Last used">
        {saved.last_used_at ? <TimeAgo time={saved.last_used_at} /> : 'never'}
      </Table.Td>
      <Table.Td ta="right">
        <Button
          size="xs"
          variant="default"
          loading={remove.isPending}
          aria-label={`Delete ${saved.name}`}
          onClick={() => remove.mutate(saved.id, { onError: notifyProblem })}
        >
          Delete
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}

function NewKey() {
  const save = useSaveOllamaKey()
  const form = useForm({ initialValues: { name: '', public_key: '' } })
  const [fault, setFault] = useState<string>()
  useUnsaved(form.isDirty())
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    save.mutate(values, {
      onSuccess: () => form.reset(),
      onError: (error) => setFault(showProblem(form, error)),
    })
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {fault && <Alert color="danger">{fault}</Alert>}
        <TextInput label="Name" description="The machine it is on" required {...form.getInputProps('name')} />
        <TextInput
          label="Public key"
          description="The one line of ~/.ollama/id_ed25519.pub"
          placeholder="ssh-ed25519 AAAA…"
          required
          spellCheck={false}
          autoComplete="off"
          {...form.getInputProps('public_key')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={save.isPending}>
            Save key
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
