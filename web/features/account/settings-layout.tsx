import { Container, Grid, Stack, Title } from '@mantine/core'
import {
  IconBell,
  IconCloudDownload,
  IconKey,
  IconDevices,
  IconLock,
  IconLogin2,
  IconTerminal2,
  IconTrash,
  IconUser,
  IconWebhook,
} from '@tabler/icons-react'
import { Outlet } from 'react-router'
import { PlaceLinks } from '../../ui/place-links.tsx'
import { SignedIn } from '../../ui/signed-in.tsx'
import { PageTitle } from '../../ui/page-title.tsx'

const places = [
  ['/settings', 'Profile', IconUser],
  ['/settings/notifications', 'Notifications', IconBell],
  ['/settings/password', 'Password', IconLock],
  ['/settings/sign-in', 'Sign-in methods', IconLogin2],
  ['/settings/sessions', 'Sessions', IconDevices],
  ['/settings/tokens', 'Tokens', IconKey],
  ['/settings/ollama-keys', 'Ollama keys', IconTerminal2],
  ['/settings/upstream-tokens', 'Upstream tokens', IconCloudDownload],
  ['/settings/webhooks', 'Webhooks', IconWebhook],
  ['/settings/deleted', 'Deleted repos', IconTrash],
] as const

/** The frame of one's own settings. */
export function Component() {
  return <SignedIn>{() => <Settings />}</SignedIn>
}

function Settings() {
  return (
    <Container size={1280} py="lg">
      <PageTitle>Settings</PageTitle>
      <Title order={1} mb="md">
        Settings
      </Title>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, sm: 3 }}>
          <PlaceLinks label="Settings" places={places} isColumn />
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 9 }}>
          <Stack gap="md" className="in-order">
            <Outlet />
          </Stack>
        </Grid.Col>
      </Grid>
    </Container>
  )
}
