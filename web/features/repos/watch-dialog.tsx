import { Anchor, Button, Radio, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { watchLevels } from '../../../shared/vocabulary.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { useMe } from '../../lib/session.ts'
import type { RepoAddress } from '../../lib/types.ts'
import { useWatch, watchQuery } from '../../lib/watches.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'

const choices = [
  ['default', 'Default', 'Mentions, threads you wrote in, and what is opened in your own repos.'],
  [
    'discussions',
    'New discussions',
    'Also each new discussion and pull request. New commits are in your feed.',
  ],
  ['all', 'All activity', 'Also each comment, merge and change of status. New commits are in your feed.'],
  ['ignore', 'Ignore', 'Mentions alone, even if the repo is yours. Nothing of it is in your feed.'],
] as const

/** Which news of a repo the person wants; a choice holds at once. */
export default function WatchDialog({ address, onClose }: { address: RepoAddress; onClose: () => void }) {
  const me = useMe()
  const here = useLocation()
  return (
    <Dialog onClose={onClose} title={`News of ${address.ns}/${address.name}`}>
      {me === null ? (
        <Stack align="flex-start">
          <Text size="sm">People with an account choose here which news they are notified of.</Text>
          <Button size="xs" component={Link} to={pages.login(here.pathname + here.search)}>
            Sign in
          </Button>
        </Stack>
      ) : (
        <Levels address={address} />
      )}
    </Dialog>
  )
}

function Levels({ address }: { address: RepoAddress }) {
  const query = useQuery(watchQuery(address))
  const watch = useWatch(address)
  // React would take the press back until the query library tells of it, a task later.
  const [pressed, setPressed] = useState<string>()
  const choose = (value: string) => {
    setPressed(value)
    watch.mutate(
      watchLevels.find((each) => each === value),
      { onError: notifyProblem, onSettled: () => setPressed(undefined) },
    )
  }
  return (
    <Loaded query={query}>
      {({ level }) => (
        <Stack gap="md">
          <Radio.Group aria-label="Notify me of" value={pressed ?? level ?? 'default'} onChange={choose}>
            <Stack gap="sm">
              {choices.map(([value, label, description]) => (
                <Radio key={value} value={value} label={label} description={description} />
              ))}
            </Stack>
          </Radio.Group>
          <Anchor component={Link} to="/settings/notifications" size="sm">
            All watched repos
          </Anchor>
        </Stack>
      )}
    </Loaded>
  )
}
