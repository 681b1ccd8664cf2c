import { Anchor, Table, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useQueryState } from '../../lib/query-state.ts'
import { Paged } from '../../ui/loaded.tsx'
import { FramedRows } from '../../ui/framed-rows.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { StorageBar } from '../../ui/storage-bar.tsx'
import { orgsQuery, type AdminOrg } from './queries.ts'

/** `/admin/orgs`: every organisation, who administers it and what it holds. */
export function Component() {
  const [search, set] = useQueryState()
  const [q] = useDebouncedValue(search.get('q') ?? '', 200)
  const query = useInfiniteQuery({ ...orgsQuery(q), placeholderData: keepPreviousData })
  return (
    <>
      <Title order={1} mb="md">
        Organisations
      </Title>
      <TextInput
        aria-label="Search organisations"
        placeholder="Name"
        mb="md"
        maw={320}
        value={search.get('q') ?? ''}
        onChange={(event) => set('q', event.currentTarget.value)}
      />
      <Paged query={query} empty={<EmptyState picture="search" title="No organisation matches" />}>
        {(orgs) => (
          <FramedRows columns={['Organisation', 'Admins', 'Members', 'Repos', ['Storage', 240]]}>
            {orgs.map((org) => (
              <OrgRow key={org.ns} org={org} />
            ))}
          </FramedRows>
        )}
      </Paged>
    </>
  )
}

function OrgRow({ org }: { org: AdminOrg }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={pages.namespace(org.ns)} ff="monospace" size="sm">
          {org.ns}
        </Anchor>
        {org.display_name !== org.ns && (
          <Text size="xs" c="dimmed">
            {org.display_name}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Admins">{org.admins.join(', ') || 'none but admins of this server'}</Table.Td>
      <Table.Td data-label="Members">{org.members}</Table.Td>
      <Table.Td data-label="Repos">{org.repos}</Table.Td>
      <Table.Td data-label="Storage">
        <StorageBar of={org.ns} usedBytes={org.storage_bytes} quotaBytes={org.quota_bytes} />
      </Table.Td>
    </Table.Tr>
  )
}
