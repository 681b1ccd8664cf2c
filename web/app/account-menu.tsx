import { Menu, UnstyledButton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import {
  IconBuilding,
  IconCloudDownload,
  IconKeyboard,
  IconLogout,
  IconPlus,
  IconSettings,
  IconShield,
  IconStack2,
  IconUser,
} from '@tabler/icons-react'
import { useRef, type ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { api } from '../lib/api.ts'
import { notifyProblem } from '../lib/notify.ts'
import { pages } from '../lib/pages.ts'
import { becomePerson } from '../lib/session.ts'
import type { Me } from '../lib/types.ts'

interface AccountMenuProps {
  me: Me
  face: ReactNode
  onKeys: () => void
}

/** The person's own places; open from the start, since it is fetched by the press that opens it. */
export default function AccountMenu({ me, face, onKeys }: AccountMenuProps) {
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <Menu
      position="bottom-end"
      width={220}
      withinPortal
      defaultOpened
      onClose={() => opener.current?.focus({ preventScroll: true })}
    >
      <Menu.Target>
        <UnstyledButton ref={opener} bdrs="xl">
          {face}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{me.username}</Menu.Label>
        <Place to={pages.namespace(me.username)} icon={<IconUser size={14} />} text="Profile" />
        <Place to="/new" icon={<IconPlus size={14} />} text="New repo" />
        <Place to="/discover" icon={<IconCloudDownload size={14} />} text="Discover other hubs" />
        <Place to="/orgs/new" icon={<IconBuilding size={14} />} text="New organisation" />
        <Place to="/jobs" icon={<IconStack2 size={14} />} text="Jobs" />
        <Place to="/settings" icon={<IconSettings size={14} />} text="Settings" />
        {me.is_admin && <Place to="/admin" icon={<IconShield size={14} />} text="Administration" />}
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

function Place({ to, text, icon }: { to: string; text: string; icon?: ReactNode }) {
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
    becomePerson(cache, null)
    await navigate('/login')
  }
  return (
    <Menu.Item leftSection={<IconLogout size={14} />} onClick={() => void signOut().catch(notifyProblem)}>
      Sign out
    </Menu.Item>
  )
}
