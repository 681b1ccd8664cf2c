import { Container, Group, NavLink } from '@mantine/core'
import { Link, Outlet, useLocation } from 'react-router'
import type { Me } from '../../lib/types.ts'
import { SignedIn } from '../../ui/signed-in.tsx'
import { EmptyState } from '../../ui/states.tsx'

/** The frame of pages that only instance admins see. */
export function Component() {
  return (
    <SignedIn>
      {(me) => (
        <Container size={1280} py="lg">
          <title>Administration · Arsenal</title>
          {me.is_admin ? (
            <>
              <Places />
              <Outlet />
            </>
          ) : (
            <Refused me={me} />
          )}
        </Container>
      )}
    </SignedIn>
  )
}

const places = [
  ['/admin', 'Overview'],
  ['/admin/users', 'Users'],
  ['/admin/orgs', 'Organisations'],
  ['/admin/invites', 'Invites'],
  ['/admin/unsafe-files', 'Unsafe files'],
  ['/admin/audit', 'Audit log'],
  ['/admin/quotas', 'Quotas'],
] as const

function Places() {
  const { pathname } = useLocation()
  return (
    <Group component="nav" aria-label="Administration" gap={0} mb="md">
      {places.map(([to, label]) => (
        <NavLink
          key={to}
          component={Link}
          to={to}
          w="auto"
          label={label}
          active={pathname === to}
          aria-current={pathname === to ? 'page' : undefined}
        />
      ))}
    </Group>
  )
}

function Refused({ me }: { me: Me }) {
  return (
    <EmptyState
      isPage
      title="Only instance admins see this"
      command={`arsenal user make-admin ${me.username}`}
    >
      An operator of this server can make you an admin:
    </EmptyState>
  )
}
