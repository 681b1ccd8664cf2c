import { Button, Stack, Text, Title } from '@mantine/core'
import { Suspense, useState, type ReactNode } from 'react'
import type { Discussion } from '../../../lib/types.ts'
import { late } from '../../../ui/late.tsx'
import classes from '../discussions.module.css'
import { Person } from '../person.tsx'
import { useRights } from '../rights.ts'
import { LabelLinks } from './label-chip.tsx'

const PickLabels = late(() => import('./pick-labels.tsx'))
const PickAssignees = late(() => import('./pick-assignees.tsx'))
const LabelManager = late(() => import('./label-manager.tsx'))

/** What a thread is sorted by. */
export function LabelsSide({ discussion }: { discussion: Discussion }) {
  const [isPicking, setIsPicking] = useState<boolean>()
  const [isManaging, setIsManaging] = useState(false)
  return (
    <Side
      title="Labels"
      edit="Edit labels"
      isEditing={isPicking}
      onEdit={() => setIsPicking(true)}
      editor={
        <>
          <PickLabels
            discussion={discussion}
            onManage={() => setIsManaging(true)}
            onClose={() => setIsPicking(false)}
          />
          {isManaging && <LabelManager onClose={() => setIsManaging(false)} />}
        </>
      }
    >
      {discussion.labels.length > 0 ? <LabelLinks labels={discussion.labels} /> : 'None yet.'}
    </Side>
  )
}

/** Who is to see to a thread. */
export function AssigneesSide({ discussion }: { discussion: Discussion }) {
  const { assignees } = discussion
  const [isPicking, setIsPicking] = useState<boolean>()
  return (
    <Side
      title="Assignees"
      edit="Edit assignees"
      isEditing={isPicking}
      onEdit={() => setIsPicking(true)}
      editor={<PickAssignees discussion={discussion} onClose={() => setIsPicking(false)} />}
    >
      {assignees.length > 0 ? (
        <ul className={classes['people']} aria-label="Assignees">
          {assignees.map((person) => (
            <li key={person.username}>
              <Person author={person} hasPicture />
            </li>
          ))}
        </ul>
      ) : (
        'No one yet.'
      )}
    </Side>
  )
}

interface SideProps {
  title: string
  edit: string
  /** `undefined` until it was edited once. */
  isEditing: boolean | undefined
  onEdit: () => void
  editor: ReactNode
  children: ReactNode
}

/** A part of the side column that those who may write can edit. */
function Side({ title, edit, isEditing, onEdit, editor, children }: SideProps) {
  const { canSpeak, canMerge } = useRights()
  const mayEdit = canSpeak && canMerge
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={2} size="h3">
        {title}
      </Title>
      {typeof children === 'string' ? (
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      ) : (
        children
      )}
      {mayEdit && !isEditing && (
        // It gives way to the editor, and has the focus again afterwards.
        <Button size="xs" variant="default" autoFocus={isEditing === false} onClick={onEdit}>
          {edit}
        </Button>
      )}
      <Suspense>{mayEdit && isEditing && editor}</Suspense>
    </Stack>
  )
}
