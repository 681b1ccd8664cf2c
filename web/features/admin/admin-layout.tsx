import { Container } from '@mantine/core'
import { Outlet, useLocation } from 'react-router'
import { useMe } from '../../lib/session.ts'
import type { Me } from '../../lib/types.ts'
import { EmptyState, PageSkeleton, SignInState } from '../../ui/states.tsx'

/** The frame of the pages of instance admins, which nobody else is shown. */
export function Component() {
  const { pathname } = useLocation()
  const me = useMe()
  if (me === null) return <SignInState next={pathname} />
  return (
    <Container size={1280} py="lg">
      <title>Administration · Arsenal</title>
      {me === undefined ? <PageSkeleton /> : me.is_admin ? <Outlet /> : <Refused me={me} />}
    </Container>
  )
}

function Refused({ me }: { me: Me }) {
  return (
    <EmptyState
      isPage
      title="Only instance admins see this"
      command={`arsenal user make-admin ${me.username}`}
    >
      Whoever runs this server can make you one:
    </EmptyState>
  )
}
