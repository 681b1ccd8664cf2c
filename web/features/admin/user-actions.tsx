import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { MadeLink } from './made-link.tsx'
import { useEmailLink, useEndSessions, useResetLink, useUpdateUser, type AdminUser } from './queries.ts'

interface Made {
  title: string
  purpose: string
  link: { url: string; expires_at: string }
}

/** What an admin can do with an account. */
export function UserActions({ user }: { user: AdminUser }) {
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
