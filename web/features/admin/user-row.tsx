import { ActionIcon, Anchor, Badge, Group, Menu, Table, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { Size, TimeAgo } from '../../ui/facts.tsx'
import { MadeLink } from './made-link.tsx'
import { useEmailLink, useEndSessions, useResetLink, useUpdateUser, type AdminUser } from './queries.ts'

/** One user: who they are, how they sign in, what they hold, and what can be done. */
export function UserRow({ user }: { user: AdminUser }) {
  const { username, display_name } = user
  const ways = [
    ...(user.has_password ? ['password'] : []),
    ...user.identities.map(({ provider }) => provider),
  ]
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Anchor component={Link} to={pages.namespace(username)} ff="monospace" size="sm">
            {username}
          </Anchor>
          {user.is_admin && <Badge size="sm">admin</Badge>}
          {user.disabled && (
            <Badge size="sm" color="danger">
              disabled
            </Badge>
          )}
        </Group>
        {display_name !== username && (
          <Text size="xs" c="dimmed">
            {display_name}
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Email" style={{ overflowWrap: 'anywhere' }}>
        {user.email ?? '–'}
        {user.pending_email && (
          <Text size="xs" c="dimmed">
            {user.pending_email} awaits confirmation
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Signs in with">{ways.join(', ') || 'nothing yet'}</Table.Td>
      <Table.Td data-label="Repos">
        {user.repo_count} · <Size bytes={user.storage_bytes} />
      </Table.Td>
      <Table.Td data-label="Last seen">
        {user.last_seen_at ? <TimeAgo time={user.last_seen_at} /> : 'never'}
      </Table.Td>
      <Table.Td ta="right">
        <Actions user={user} />
      </Table.Td>
    </Table.Tr>
  )
}

interface Made {
  title: string
  purpose: string
  link: { url: string; expires_at: string }
}

function Actions({ user }: { user: AdminUser }) {
  const { id, username, pending_email } = user
  const update = useUpdateUser(id)
  const reset = useResetLink(id)
  const email = useEmailLink(id)
  const end = useEndSessions(id)
  const [made, setMade] = useState<Made>()
  const change = (body: { disabled?: boolean; is_admin?: boolean }, done: string) =>
    update.mutate(body, { onSuccess: () => notifyDone(done), onError: notifyProblem })
  const makeReset = () =>
    reset.mutate(undefined, {
      onSuccess: (link) =>
        setMade({
          title: `Reset link for ${username}`,
          purpose: `${username} sets a new password with it.`,
          link,
        }),
      onError: notifyProblem,
    })
  const makeEmail = (address: string) =>
    email.mutate(address, {
      onSuccess: (link) =>
        setMade({
          title: `Email link for ${username}`,
          purpose: `${username} confirms ${address} with it.`,
          link,
        }),
      onError: notifyProblem,
    })
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" aria-label={`Actions for ${username}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {pending_email && (
            <Menu.Item onClick={() => makeEmail(pending_email)}>
              Make a link that confirms the email
            </Menu.Item>
          )}
          {!user.disabled && <Menu.Item onClick={makeReset}>Make a reset link</Menu.Item>}
          <Menu.Item
            onClick={() =>
              end.mutate(undefined, {
                onSuccess: () => notifyDone(`${username} is signed out everywhere`),
                onError: notifyProblem,
              })
            }
          >
            End all sessions
          </Menu.Item>
          <Menu.Divider />
          {user.is_admin ? (
            <Menu.Item onClick={() => change({ is_admin: false }, `${username} is no longer an admin`)}>
              Remove as admin
            </Menu.Item>
          ) : (
            <Menu.Item onClick={() => change({ is_admin: true }, `${username} is an admin now`)}>
              Make an admin
            </Menu.Item>
          )}
          {user.disabled ? (
            <Menu.Item onClick={() => change({ disabled: false }, `${username} is enabled`)}>
              Enable
            </Menu.Item>
          ) : (
            <Menu.Item color="danger" onClick={() => change({ disabled: true }, `${username} is disabled`)}>
              Disable
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {made && <MadeLink {...made} onClose={() => setMade(undefined)} />}
    </>
  )
}
