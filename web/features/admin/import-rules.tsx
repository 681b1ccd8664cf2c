import { ActionIcon, Button, Group, Select, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconTrash } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Mark } from '../../ui/mark.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { Section } from '../../ui/section.tsx'
import { importRulesQuery, useDeleteImportRule, useSetImportRule, type ImportRule } from './queries.ts'

const safeties = [
  { value: 'innocuous', label: 'Allowed' },
  { value: 'dangerous', label: 'Dangerous' },
] as const
const safetyOf = (value: string | null): ImportRule['safety'] =>
  safeties.find((one) => one.value === value)?.value ?? 'innocuous'

/** What admins say of names that files import when they are loaded. */
export function ImportRules() {
  const query = useQuery(importRulesQuery)
  return (
    <Section title="Imports">
      <Text size="sm" c="dimmed">
        Files that import a name which the scan does not know are suspicious. Allow a name that you trust, or
        call one dangerous. This counts for all repos; files that have it are judged again. An import that can
        run code cannot be allowed.
      </Text>
      <NewRule />
      <Loaded query={query}>
        {({ items }) =>
          items.length > 0 && (
            <RowTable columns={['Import', ['Verdict', 110], 'Note', ['Set', 180], ['', 50]]}>
              {items.map((rule) => (
                <RuleRow key={`${rule.module} ${rule.name}`} rule={rule} />
              ))}
            </RowTable>
          )
        }
      </Loaded>
    </Section>
  )
}

function NewRule() {
  const [module, setModule] = useState('')
  const [name, setName] = useState('')
  const [safety, setSafety] = useState<ImportRule['safety']>('innocuous')
  const [note, setNote] = useState('')
  const set = useSetImportRule()
  const save = (event: FormEvent) => {
    event.preventDefault()
    const of = { module: module.trim(), name: name.trim() }
    set.mutate(
      { of, body: { safety, ...(note.trim() && { note: note.trim() }) } },
      {
        onSuccess: () => {
          notifyDone(`Saved: files that import ${of.module}.${of.name} are judged again`)
          setModule('')
          setName('')
          setNote('')
        },
        onError: notifyProblem,
      },
    )
  }
  return (
    <form onSubmit={save}>
      <Group align="end" gap="xs">
        <TextInput
          label="Module"
          placeholder="sklearn.svm._classes"
          required
          maxLength={200}
          value={module}
          onChange={(event) => setModule(event.currentTarget.value)}
        />
        <TextInput
          label="Name"
          placeholder="SVC"
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label="Verdict"
          w={130}
          allowDeselect={false}
          data={[...safeties]}
          value={safety}
          onChange={(value) => setSafety(safetyOf(value))}
        />
        <TextInput
          label="Note"
          maxLength={1000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Button type="submit" loading={set.isPending}>
          Save
        </Button>
      </Group>
    </form>
  )
}

function RuleRow({ rule: { module, name, safety, note, set_by, set_at } }: { rule: ImportRule }) {
  const remove = useDeleteImportRule()
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }} ff="monospace" fz="sm">
        {module}.{name}
      </Table.Td>
      <Table.Td data-label="Verdict">
        {safety === 'innocuous' ? <Mark color="safe">allowed</Mark> : <Mark color="danger">dangerous</Mark>}
      </Table.Td>
      <Table.Td {...(note && { 'data-label': 'Note' })} fz="sm" style={{ overflowWrap: 'anywhere' }}>
        {note}
      </Table.Td>
      <Table.Td data-label="Set">
        <TimeAgo time={set_at} />
        {set_by && ` by ${set_by}`}
      </Table.Td>
      <Table.Td>
        <ActionIcon
          variant="subtle"
          color="danger"
          aria-label={`Delete the rule for ${module}.${name}`}
          loading={remove.isPending}
          onClick={() =>
            remove.mutate(
              { module, name },
              {
                onSuccess: () => notifyDone(`The scan decides on ${module}.${name} again`),
                onError: notifyProblem,
              },
            )
          }
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  )
}
