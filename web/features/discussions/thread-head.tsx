import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { pages } from '../../lib/pages.ts'
import { useRepo } from '../../lib/repo-context.ts'
import type { Discussion } from '../../lib/types.ts'
import { late } from '../../ui/late.tsx'
import { TimeAgo } from '../../ui/facts.tsx'
import classes from './discussions.module.css'
import { Person } from './person.tsx'
import { useRights } from './rights.ts'
import { StatusMark } from './status-mark.tsx'

const Retitle = late(() => import('./retitle.tsx'))

/** What a thread is called, how it stands, whose it is. */
export function ThreadHead({ discussion }: { discussion: Discussion }) {
  const [isRetitling, setIsRetitling] = useState(false)
  const { canEdit } = useRights()
  return (
    <Stack gap={6}>
      {isRetitling ? (
        <Suspense>
          <Retitle discussion={discussion} onClose={() => setIsRetitling(false)} />
        </Suspense>
      ) : (
        <Group align="flex-start" gap="sm" wrap="nowrap">
          <Title order={2} style={{ overflowWrap: 'anywhere' }}>
            {discussion.title}{' '}
            <Text span inherit c="dimmed" fw={400}>
              #{discussion.num}
            </Text>
          </Title>
          {canEdit(discussion) && (
            <Button
              size="xs"
              variant="default"
              style={{ flexShrink: 0 }}
              leftSection={<IconPencil size={14} />}
              onClick={() => setIsRetitling(true)}
            >
              Retitle
            </Button>
          )}
        </Group>
      )}
      <Group gap="xs" align="center">
        <StatusMark discussion={discussion} />
        <Text size="sm" c="dimmed" component="div" className={classes['said'] ?? ''}>
          <Origin discussion={discussion} /> <TimeAgo time={discussion.created_at} />
        </Text>
      </Group>
    </Stack>
  )
}

function Origin({ discussion }: { discussion: Discussion }) {
  const { repo } = useRepo()
  const { author, status, pull_request: pull } = discussion
  if (!pull)
    return (
      <>
        opened by <Person author={author} />
      </>
    )
  return (
    <>
      <Person author={author} /> {status === 'open' ? 'proposes' : 'proposed'} to merge{' '}
      <RefLink to={pages.tree(repo, pull.ref)} name={pull.ref} /> into{' '}
      <RefLink to={pages.tree(repo, pull.base)} name={pull.base} />
    </>
  )
}

function RefLink({ to, name }: { to: string; name: string }) {
  return (
    <Anchor component={Link} to={to} inherit ff="monospace" underline="always">
      {name}
    </Anchor>
  )
}
