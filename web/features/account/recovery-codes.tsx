import { Alert, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { notifyProblem } from '../../lib/notify.ts'
import type { Me } from '../../lib/types.ts'
import { CommandLine } from '../../ui/command-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Section } from '../../ui/section.tsx'
import { useRecoveryCodes } from './queries.ts'

/** How many recovery codes are left, and new ones. */
export function RecoverySection({ me }: { me: Me }) {
  const create = useRecoveryCodes()
  const [codes, setCodes] = useState<string[]>()
  const left = me.second_factor.recovery_codes_left
  return (
    <Section
      title="Recovery codes"
      note="For the day a passkey is lost: after your password, a code stands in for it, once."
    >
      <Text size="sm">
        {left} of 10 codes left.{left <= 3 && ' Make new ones before they run out.'}
      </Text>
      <Button
        size="xs"
        w="fit-content"
        variant="default"
        loading={create.isPending}
        onClick={() =>
          create.mutate(undefined, { onSuccess: (made) => setCodes(made.codes), onError: notifyProblem })
        }
      >
        Make new codes
      </Button>
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
    </Section>
  )
}

/** Shows recovery codes the one time they can be seen. */
export function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Recovery codes" closeOnClickOutside={false}>
      <Stack gap="sm">
        <Alert color="caution" title="Keep them now">
          They are shown this once; the server keeps only their hashes. Print them, or put them into a
          password manager. Former codes no longer work.
        </Alert>
        <CommandLine label="Recovery codes" command={codes.join('\n')} />
        <Button onClick={onClose} w="fit-content">
          I have kept them
        </Button>
      </Stack>
    </Dialog>
  )
}
