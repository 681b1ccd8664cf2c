import { Container } from '@mantine/core'
import { Outlet, useLocation } from 'react-router'
import { useMe } from '../../lib/session.ts'
import { EmptyState, PageSkeleton, SignInState } from '../../ui/states.tsx'

/** The frame of the pages of instance admins, which nobody else is shown. */
export function Component() {
  const { pathname } = useLocation()
  const me = useMe()
  if (me === null) return <SignInState next={pathname} />
  return (
    <Container size={1280} py="lg">
      <title>Administration · Arsenal</title>
      {me === undefined ? <PageSkeleton /> : me.is_admin ? <Outlet /> : <Refused />}
    </Container>
  )
}

function Refused() {
  return (
    <EmptyState isPage title="Only instance admins see this">
      Somebody who is one can make you one too, with <code>arsenal user make-admin</code>.
    </EmptyState>
  )
}
