import { Alert, Button, Group, NativeSelect, Table, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { roles, type Role } from '../../../shared/vocabulary.ts'
import { showProblem } from '../../lib/form-errors.ts'
import { notifyProblem } from '../../lib/notify.ts'
import type { Member } from '../../lib/types.ts'
import { TimeAgo } from '../../ui/facts.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { membersQuery, useRemoveMember, useSetMember } from './queries.ts'

/** The members of an organisation and their roles. */
export function MemberList({ ns }: { ns: string }) {
  const query = useInfiniteQuery(membersQuery(ns))
  return (
    <Section
      title="Members"
      note="read sees private repos, write changes repos, admin also runs the organisation."
    >
      <AddMember ns={ns} />
      <Paged query={query} empty={<EmptyState picture="people" title="No members" />}>
        {(members) => (
          <RowTable columns={['Member', 'Role', 'Since']} hasActions>
            {members.map((member) => (
              <MemberRow key={member.username} ns={ns} member={member} />
            ))}
          </RowTable>
        )}
      </Paged>
    </Section>
  )
}

function MemberRow({ ns, member }: { ns: string; member: Member }) {
  const remove = useRemoveMember(ns)
  const isManual = member.source === 'manual'
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" ff="monospace">
          {member.username}
        </Text>
        {member.display_name !== member.username && (
          <Text size="xs" c="dimmed">
            {member.display_name}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <RoleSelect ns={ns} member={member} isFixed={!isManual} />
        {!isManual && (
          <Text size="xs" c="dimmed">
            by a group of {member.source.replace('oidc:', '')}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Since">
        <TimeAgo time={member.joined_at} />
      </Table.Td>
      <Table.Td ta="right">
        {isManual && (
          <Button
            size="xs"
            variant="default"
            loading={remove.isPending}
            aria-label={`Remove ${member.username}`}
            onClick={() => remove.mutate(member.username, { onError: notifyProblem })}
          >
            Remove
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function RoleSelect({ ns, member, isFixed }: { ns: string; member: Member; isFixed: boolean }) {
  const set = useSetMember(ns)
  const choose = (role: Role | undefined) => {
    if (role) set.mutate({ user: member.username, role }, { onError: notifyProblem })
  }
  return (
    <NativeSelect
      size="xs"
      w={110}
      aria-label={`Role of ${member.username}`}
      data={[...roles]}
      value={member.role}
      disabled={isFixed || set.isPending}
      onChange={(event) => choose(roles.find((role) => role === event.currentTarget.value))}
    />
  )
}

function AddMember({ ns }: { ns: string }) {
  const form = useForm<{ user: string; role: Role }>({ initialValues: { user: '', role: 'write' } })
  const set = useSetMember(ns)
  const [fault, setFault] = useState<string>()
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    set.mutate(values, {
      onSuccess: () => form.reset(),
      onError: (error) => setFault(showProblem(form, error)),
    })
  })
  return (
    <form onSubmit={submit}>
      {fault && (
        <Alert color="danger" mb="sm">
          {fault}
        </Alert>
      )}
      <Group gap="sm" align="flex-end">
        <TextInput size="xs" label="Username" required autoComplete="off" {...form.getInputProps('user')} />
        <NativeSelect size="xs" label="Role" data={[...roles]} {...form.getInputProps('role')} />
        <Button size="xs" type="submit" loading={set.isPending}>
          Add member
        </Button>
      </Group>
    </form>
  )
}
