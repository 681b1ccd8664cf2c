import { Box, Button, Container } from '@mantine/core'
import { Link, Outlet } from 'react-router'
import type { Me } from '../../lib/types.ts'
import { PlaceLinks } from '../../ui/place-links.tsx'
import { SignedIn } from '../../ui/signed-in.tsx'
import { CommandLine } from '../../ui/command-line.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

/** The frame of pages that only instance admins see. */
export function Component() {
  return (
    <SignedIn>
      {(me) => (
        <Container size={1280} py="lg">
          <PageTitle>Administration</PageTitle>
          {me.second_factor.is_missing ? (
            <FactorMissing />
          ) : me.is_admin ? (
            <>
              <Box mb="md">
                <PlaceLinks label="Administration" places={places} />
              </Box>
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
  ['/admin/health', 'Health'],
  ['/admin/users', 'Users'],
  ['/admin/orgs', 'Organisations'],
  ['/admin/invites', 'Invites'],
  ['/admin/upstreams', 'Upstreams'],
  ['/admin/unsafe-files', 'Unsafe files'],
  ['/admin/audit', 'Audit log'],
  ['/admin/quotas', 'Quotas'],
  ['/admin/policies', 'Policies'],
  ['/admin/tokens', 'Tokens'],
  ['/admin/appearance', 'Appearance'],
  ['/admin/config', 'Configuration'],
] as const

function FactorMissing() {
  return (
    <EmptyState
      picture="lock"
      isPage
      title="Set up a second factor first"
      action={
        <Button component={Link} to="/settings/sign-in">
          Go to sign-in methods
        </Button>
      }
    >
      Admins of this server need one. Add a passkey, or sign in with a provider; then these pages open.
    </EmptyState>
  )
}

function Refused({ me }: { me: Me }) {
  return (
    <EmptyState
      picture="lock"
      isPage
      title="Only instance admins see this"
      action={<CommandLine command={`arsenal user make-admin ${me.username}`} />}
    >
      An operator of this server can make you an admin with the command below.
    </EmptyState>
  )
}
