import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LoginForm } from '../features/auth/login-form.tsx'
import { providersQuery } from '../lib/sign-in.ts'
import { setLapsed } from '../lib/session.ts'
import { useSignedOutReason } from '../lib/signed-out.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Loaded } from '../ui/loaded.tsx'

/** Signs in without leaving the page, or in another tab where somebody else does the signing in. */
export function SignInAgain() {
  const reason = useSignedOutReason()
  const query = useQuery(providersQuery)
  return (
    <Dialog title="You have been signed out" onClose={() => setLapsed(false)}>
      <Stack gap="md">
        <Text size="sm">{reason} Sign in again to go on. What you have written stays as it is.</Text>
        <Loaded query={query}>
          {({ local, providers, passkeys }) => (
            <>
              {providers.length > 0 && (
                <Anchor href="/login" target="_blank" size="sm">
                  Sign in in another tab, then come back to this one
                </Anchor>
              )}
              {local && <LoginForm hasPasskeys={passkeys.possible} />}
            </>
          )}
        </Loaded>
      </Stack>
    </Dialog>
  )
}
