import { Group, Kbd, Stack, Switch, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { singleKeys } from '../lib/single-keys.ts'
import { Dialog } from '../ui/dialog.tsx'

const groups = [
  {
    title: 'Everywhere',
    keys: [
      ['/', 'Search'],
      ['Ctrl K', 'Pages, repos and actions'],
      ['?', 'This list'],
      ['Ctrl /', 'This list, also while the other keys are off'],
    ],
  },
  {
    title: 'In lists, threads and changes',
    keys: [
      ['j', 'Next row of a list; Enter opens it'],
      ['k', 'Row before'],
    ],
  },
  {
    title: 'In a repo',
    keys: [
      ['t', 'Find a file in the repo'],
      ['y', 'Turn a branch address into a permalink'],
      ['u', 'Up to the first page of the tab'],
      ['n', 'New discussion, from the list of them'],
    ],
  },
  {
    title: 'In a discussion or pull request',
    keys: [
      ['r', 'Write a comment, as does c'],
      ['e', 'To the button that closes or reopens; Enter presses it'],
      ['m', 'Merge, once it can be merged'],
    ],
  },
] as const

/** The keys, by where they work, and whether those that are pressed alone do. */
export default function KeyList({ onClose }: { onClose: () => void }) {
  const [isOn, setIsOn] = useState(singleKeys.isOn)
  return (
    <Dialog onClose={onClose} title="Keys" size="sm">
      <Stack gap="md">
        {groups.map(({ title, keys }) => (
          <Stack key={title} gap={6} component="section" aria-label={title}>
            <Title order={3} size="sm">
              {title}
            </Title>
            {keys.map(([key, text]) => (
              <Group key={key} justify="space-between" wrap="nowrap">
                <Text size="sm">{text}</Text>
                <Kbd style={{ flexShrink: 0 }}>{key}</Kbd>
              </Group>
            ))}
          </Stack>
        ))}
        <Switch
          label="Single keys"
          description="Keys without Ctrl. Turn them off where speech input or a screen reader presses them by mistake."
          checked={isOn}
          onChange={(event) => {
            singleKeys.turn(event.currentTarget.checked)
            setIsOn(event.currentTarget.checked)
          }}
        />
      </Stack>
    </Dialog>
  )
}
