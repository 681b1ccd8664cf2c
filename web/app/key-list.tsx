import { Group, Kbd, Stack, Text } from '@mantine/core'
import { Dialog } from '../ui/dialog.tsx'

const keys = [
  ['/', 'Search'],
  ['Ctrl K', 'Pages, repos and actions'],
  ['t', 'Find a file in the repo'],
  ['j', 'Next row of a list; Enter opens it'],
  ['k', 'Row before'],
  ['y', 'Turn a branch address into a permalink'],
  ['?', 'This list'],
] as const

/** The keys that work on every page. */
export default function KeyList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Keys" size="sm">
      <Stack gap="xs">
        {keys.map(([key, text]) => (
          <Group key={key} justify="space-between">
            <Text>{text}</Text>
            <Kbd>{key}</Kbd>
          </Group>
        ))}
      </Stack>
    </Dialog>
  )
}
