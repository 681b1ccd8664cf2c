import { Alert, Button, Stack, Text } from '@mantine/core'
import { CommandLine } from '../../ui/command-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TimeAgo } from '../../ui/facts.tsx'

interface MadeLinkProps {
  title: string
  /** What the person does with it. */
  purpose: string
  link: { url: string; expires_at: string }
  onClose: () => void
}

/** A link that was made, the one time it can be seen. The server sends no email: the admin passes it on. */
export function MadeLink({ title, purpose, link, onClose }: MadeLinkProps) {
  return (
    <Dialog onClose={onClose} title={title} closeOnClickOutside={false}>
      <Stack gap="sm">
        <Alert color="caution" title="Copy it now">
          It is shown this once. Anyone who has the link can use it, so send it over a channel you trust.
        </Alert>
        <CommandLine label="Link" command={link.url} />
        <Text size="sm">
          {purpose} It works once and expires <TimeAgo time={link.expires_at} />.
        </Text>
        <Button onClick={onClose} w="fit-content">
          Done
        </Button>
      </Stack>
    </Dialog>
  )
}
