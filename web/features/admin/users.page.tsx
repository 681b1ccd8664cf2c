import { Button, Group, Select, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useQueryState } from '../../lib/query-state.ts'
import { providersQuery } from '../../lib/sign-in.ts'
import { Paged } from '../../ui/loaded.tsx'
import { FramedRows } from '../../ui/framed-rows.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { NewUser } from './new-user.tsx'
import { usersQuery, type UserFilter } from './queries.ts'
import { UserRow } from './user-row.tsx'

const kinds = [
  { value: 'admins', label: 'Admins' },
  { value: 'disabled', label: 'Disabled' },
]

const byProvider = 'provider:'

const filterOf = (q: string, kind: string | null): UserFilter => ({
  ...(q && { q }),
  ...(kind === 'admins' && { admin: 'true' }),
  ...(kind === 'disabled' && { disabled: 'true' }),
  ...(kind?.startsWith(byProvider) && { provider: kind.slice(byProvider.length) }),
})

/** The kinds of users, those of each sign-in provider among them. */
const kindsOf = (providers: { id: string; name: string }[]) => [
  ...kinds,
  ...providers.map(({ id, name }) => ({ value: byProvider + id, label: `Signs in with ${name}` })),
]

/** `/admin/users`: everyone with an account, and what an admin can do for them. */
export function Component() {
  const [search, set] = useQueryState()
  const [q] = useDebouncedValue(search.get('q') ?? '', 200)
  const kind = search.get('kind')
  const query = useInfiniteQuery({ ...usersQuery(filterOf(q, kind)), placeholderData: keepPreviousData })
  const providers = useQuery(providersQuery)
  const [isMaking, setIsMaking] = useState(false)
  return (
    <>
      <Group justify="space-between" mb="md" gap="sm">
        <Title order={1}>Users</Title>
        {providers.data?.local === false ? (
          // A new account would have no way in: its person connects a provider by an invite.
          <Button component={Link} to="/admin/invites">
            Invite people
          </Button>
        ) : (
          <Button onClick={() => setIsMaking(true)}>New user</Button>
        )}
      </Group>
      <Group gap="sm" mb="md">
        <TextInput
          aria-label="Search users"
          placeholder="Name or email"
          value={search.get('q') ?? ''}
          onChange={(event) => set('q', event.currentTarget.value)}
        />
        <Select
          aria-label="Which users"
          placeholder="All users"
          data={kindsOf(providers.data?.providers ?? [])}
          clearable
          value={kind}
          onChange={(value) => set('kind', value ?? '')}
        />
      </Group>
      <Paged query={query} empty={<EmptyState picture="search" title="No user matches" />}>
        {(users) => (
          <FramedRows columns={['User', 'Email', 'Signs in with', 'Repos', 'Last seen']} hasActions>
            {users.map((user) => (
              <UserRow key={user.id} user={user} />
            ))}
          </FramedRows>
        )}
      </Paged>
      {isMaking && <NewUser onClose={() => setIsMaking(false)} />}
    </>
  )
}
