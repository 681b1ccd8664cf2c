import { Container, Grid, NavLink, Title } from '@mantine/core'
import { IconKey, IconDevices, IconLock, IconUser, IconWebhook } from '@tabler/icons-react'
import { Link, Outlet, useLocation } from 'react-router'
import { useMe } from '../../lib/session.ts'
import { PageSkeleton, SignInState } from '../../ui/states.tsx'

const places = [
  ['/settings', 'Profile', IconUser],
  ['/settings/password', 'Password', IconLock],
  ['/settings/sessions', 'Sessions', IconDevices],
  ['/settings/tokens', 'Tokens', IconKey],
  ['/settings/webhooks', 'Webhooks', IconWebhook],
] as const

/** The frame of one's own settings. */
export function Component() {
  const { pathname } = useLocation()
  const me = useMe()
  if (me === null) return <SignInState next={pathname} />
  return (
    <Container size={1080} py="lg">
      <title>Settings · Arsenal</title>
      <Title order={1} mb="md">
        Settings
      </Title>
      <Grid gap="lg">
        <Grid.Col
          span={{ base: 12, sm: 3 }}
          component="nav"
          aria-label="Settings"
          display={{ base: 'flex', sm: 'block' }}
          style={{ flexWrap: 'wrap' }}
        >
          {places.map(([to, label, Icon]) => (
            <NavLink
              key={to}
              component={Link}
              to={to}
              w={{ base: 'auto', sm: '100%' }}
              label={label}
              leftSection={<Icon size={16} />}
              active={pathname === to || (to !== '/settings' && pathname.startsWith(`${to}/`))}
              aria-current={pathname === to ? 'page' : undefined}
            />
          ))}
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 9 }}>{me ? <Outlet /> : <PageSkeleton />}</Grid.Col>
      </Grid>
    </Container>
  )
}
