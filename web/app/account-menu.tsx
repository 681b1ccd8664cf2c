import { Avatar, Button, Menu, UnstyledButton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import {
  IconBuilding,
  IconKeyboard,
  IconLogout,
  IconPlus,
  IconSettings,
  IconStack2,
  IconUser,
} from '@tabler/icons-react'
import { Link, useLocation, useNavigate } from 'react-router'
import { api } from '../lib/api.ts'
import { notifyProblem } from '../lib/notify.ts'
import { pages } from '../lib/pages.ts'
import { meQuery } from '../lib/session.ts'
import type { Me } from '../lib/types.ts'

interface AccountMenuProps {
  me: Me | null | undefined
  onKeys: () => void
}

/** The person's own places; a way to sign in when there is nobody. */
export function AccountMenu({ me, onKeys }: AccountMenuProps) {
  const here = useLocation()
  if (me === undefined) return <Avatar size={28} radius="xl" aria-hidden />
  if (me === null)
    return (
      <Button size="xs" component={Link} to={pages.login(here.pathname + here.search)}>
        Sign in
      </Button>
    )
  return (
    <Menu position="bottom-end" width={220} withinPortal>
      <Menu.Target>
        <UnstyledButton aria-label={`Account of ${me.username}`} style={{ borderRadius: 16 }}>
          <Avatar size={28} radius="xl" name={me.display_name || me.username} color="accent" alt="" />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me.username}</Menu.Label>
        <Place to={pages.namespace(me.username)} icon={<IconUser size={14} />} text="Profile" />
        <Place to="/new" icon={<IconPlus size={14} />} text="New Repo" />
        <Place to="/orgs/new" icon={<IconBuilding size={14} />} text="New Organisation" />
        <Place to="/jobs" icon={<IconStack2 size={14} />} text="Jobs" />
        <Place to="/settings" icon={<IconSettings size={14} />} text="Settings" />
        {me.orgs.length > 0 && <Menu.Label>Organisations</Menu.Label>}
        {me.orgs.map((org) => (
          <Place key={org.ns} to={pages.namespace(org.ns)} text={org.display_name || org.ns} />
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconKeyboard size={14} />} onClick={onKeys}>
          Keys
        </Menu.Item>
        <SignOut />
      </Menu.Dropdown>
    </Menu>
  )
}

function Place({ to, text, icon }: { to: string; text: string; icon?: React.ReactNode }) {
  return (
    <Menu.Item component={Link} to={to} leftSection={icon}>
      {text}
    </Menu.Item>
  )
}

function SignOut() {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const signOut = async () => {
    await api.logout()
    cache.clear()
    cache.setQueryData(meQuery.queryKey, null)
    await navigate('/login')
  }
  return (
    <Menu.Item leftSection={<IconLogout size={14} />} onClick={() => void signOut().catch(notifyProblem)}>
      Sign out
    </Menu.Item>
  )
}
