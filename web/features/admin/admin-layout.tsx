import { Container } from '@mantine/core'
import { Outlet } from 'react-router'
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
          {me.is_admin ? <Outlet /> : <Refused me={me} />}
        </Container>
      )}
    </SignedIn>
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
