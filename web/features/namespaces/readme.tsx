import { ActionIcon, Button, Group, Paper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPencil } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { hasRole } from '../../lib/repo-context.ts'
import type { Namespace } from '../../lib/types.ts'
import { late } from '../../ui/late.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ListSkeleton } from '../../ui/states.tsx'
import { readmeQuery } from './queries.ts'
import { readmeBase } from './readme-base.ts'

const Markdown = late(() => import('../../ui/markdown/markdown.tsx'))
const ReadmeForm = late(() => import('./readme-form.tsx'))

/** What a person or an organisation says of itself, which those who may edit it do in place. */
export function Readme({ namespace }: { namespace: Namespace }) {
  const { ns } = namespace
  const query = useQuery(readmeQuery(ns))
  const [isEditing, setIsEditing] = useState(false)
  const mayEdit = hasRole(namespace, 'admin')
  return (
    <Loaded query={query} skeleton={<ListSkeleton rows={1} />}>
      {({ text }) => {
        if (isEditing)
          return (
            <Suspense fallback={<ListSkeleton rows={3} />}>
              <ReadmeForm ns={ns} seen={text} onClose={() => setIsEditing(false)} />
            </Suspense>
          )
        if (text !== '')
          return <Shown ns={ns} text={text} {...(mayEdit && { onEdit: () => setIsEditing(true) })} />
        return mayEdit ? <Invitation namespace={namespace} onEdit={() => setIsEditing(true)} /> : null
      }}
    </Loaded>
  )
}

function Shown({ ns, text, onEdit }: { ns: string; text: string; onEdit?: () => void }) {
  const [base] = useState(() => readmeBase(ns))
  return (
    <Paper withBorder p="md" component="section" aria-label="README" pos="relative">
      {onEdit && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="Edit the README"
          title="Edit the README"
          pos="absolute"
          top={8}
          right={8}
          style={{ zIndex: 1 }}
          onClick={onEdit}
        >
          <IconPencil size={16} />
        </ActionIcon>
      )}
      <Suspense fallback={<ListSkeleton rows={3} />}>
        <Markdown text={text} base={base} skeleton={<ListSkeleton rows={3} />} />
      </Suspense>
    </Paper>
  )
}

function Invitation({ namespace, onEdit }: { namespace: Namespace; onEdit: () => void }) {
  return (
    <Paper withBorder p="md" component="section" aria-label="README">
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed">
          {namespace.kind === 'user'
            ? 'Tell others who you are and what you work on.'
            : 'Tell others what this organisation does.'}
        </Text>
        <Button size="xs" variant="default" onClick={onEdit}>
          Write a README
        </Button>
      </Group>
    </Paper>
  )
}
