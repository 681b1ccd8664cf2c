import { Button, Group, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { roles, type Role } from '../../../shared/vocabulary.ts'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import type { RepoAddress } from '../../lib/types.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { collaboratorsQuery, useSetCollaborators, type Collaborators } from './queries.ts'

type Entries = Collaborators['items']

/** People with a role on this repo alone. */
export function CollaboratorsForm({ address }: { address: RepoAddress }) {
  const query = useQuery(collaboratorsQuery(address))
  return (
    <Section title="Collaborators" note="People who may do more here than their place elsewhere gives them.">
      <Loaded query={query}>{({ items }) => <Editor address={address} entries={items} />}</Loaded>
    </Section>
  )
}

function Editor({ address, entries }: { address: RepoAddress; entries: Entries }) {
  const save = useSetCollaborators(address)
  const put = (items: Entries) =>
    save.mutate({ items }, { onSuccess: () => notifyDone('Collaborators saved'), onError: notifyProblem })
  const without = (username: string) => entries.filter((entry) => entry.username !== username)
  return (
    <Stack gap="sm">
      {entries.length === 0 && (
        <Text size="sm" c="dimmed">
          No collaborators yet.
        </Text>
      )}
      {entries.length > 0 && (
        <Table>
          <Table.Tbody>
            {entries.map((entry) => (
              <Table.Tr key={entry.username}>
                <Table.Td ff="monospace">{entry.username}</Table.Td>
                <Table.Td w={130}>
                  <RoleSelect
                    label={`Role of ${entry.username}`}
                    role={entry.role}
                    onChange={(role) => put([...without(entry.username), { ...entry, role }])}
                  />
                </Table.Td>
                <Table.Td w={100} ta="right">
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Remove ${entry.username}`}
                    onClick={() => put(without(entry.username))}
                  >
                    Remove
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <AddForm onAdd={(entry) => put([...without(entry.username), entry])} />
    </Stack>
  )
}

function AddForm({ onAdd }: { onAdd: (entry: Entries[number]) => void }) {
  const [username, setUsername] = useState('')
  const [role, setRole] = useState<Role>('read')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onAdd({ username: username.trim(), role })
        setUsername('')
      }}
    >
      <Group gap="sm" align="flex-end">
        <TextInput
          size="xs"
          label="Username"
          required
          autoComplete="off"
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <RoleSelect label="Role" role={role} onChange={setRole} isLabelled />
        <Button size="xs" type="submit">
          Add collaborator
        </Button>
      </Group>
    </form>
  )
}

interface RoleSelectProps {
  label: string
  role: Role
  onChange: (role: Role) => void
  isLabelled?: boolean
}

function RoleSelect({ label, role, onChange, isLabelled = false }: RoleSelectProps) {
  return (
    <NativeSelect
      size="xs"
      {...(isLabelled ? { label } : { 'aria-label': label })}
      data={[...roles]}
      value={role}
      onChange={(event) => onChange(roles.find((value) => value === event.currentTarget.value) ?? role)}
    />
  )
}
