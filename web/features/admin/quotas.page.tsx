import { ActionIcon, Anchor, Group, NumberInput, Table, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconDeviceFloppy } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { AvatarPicture } from '../../ui/avatar-picture.tsx'
import { Paged } from '../../ui/loaded.tsx'
import { FramedRows } from '../../ui/framed-rows.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { StorageBar } from '../../ui/storage-bar.tsx'
import { quotasQuery, useUpdateQuota, type Quota } from './queries.ts'

const GB = 1e9

/** `/admin/quotas`: what each namespace holds, and how much it may. */
export function Component() {
  const query = useInfiniteQuery(quotasQuery)
  return (
    <>
      <Title order={1} mb="md">
        Quotas
      </Title>
      <Paged query={query} empty={<EmptyState picture="people" title="No users or organisations yet" />}>
        {(quotas) => (
          <FramedRows columns={['Namespace', ['Storage', 240], ['Quota, GB', 220]]}>
            {quotas.map((quota) => (
              <QuotaRow key={quota.ns} quota={quota} />
            ))}
          </FramedRows>
        )}
      </Paged>
    </>
  )
}

function QuotaRow({ quota: { ns, used_bytes, quota_bytes } }: { quota: Quota }) {
  const [gigabytes, setGigabytes] = useState<number | string>(
    quota_bytes === undefined ? '' : quota_bytes / GB,
  )
  const update = useUpdateQuota()
  const save = () =>
    update.mutate(
      { ns, quota_bytes: gigabytes === '' ? null : Math.round(Number(gigabytes) * GB) },
      { onSuccess: () => notifyDone(`Quota of ${ns} saved`), onError: notifyProblem },
    )
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <AvatarPicture ns={ns} size={24} />
          <Anchor component={Link} to={pages.namespace(ns)} ff="monospace" size="sm">
            {ns}
          </Anchor>
        </Group>
      </Table.Td>
      <Table.Td>
        <StorageBar of={ns} usedBytes={used_bytes} quotaBytes={quota_bytes} />
      </Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <NumberInput
            size="xs"
            aria-label={`Quota of ${ns} in GB`}
            placeholder="No limit"
            min={0}
            max={9_000_000}
            hideControls
            value={gigabytes}
            onChange={setGigabytes}
          />
          <ActionIcon
            variant="default"
            aria-label={`Save the quota of ${ns}`}
            loading={update.isPending}
            onClick={save}
          >
            <IconDeviceFloppy size={16} />
          </ActionIcon>
        </Group>
      </Table.Td>
    </Table.Tr>
  )
}
