import { Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../../shared/vocabulary.ts'
import { problemText } from '../../../lib/form-errors.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { useMe } from '../../../lib/session.ts'
import type { Discussion } from '../../../lib/types.ts'
import { AvatarPicture } from '../../../ui/avatar-picture.tsx'
import { suggestPeople } from '../complete/suggestions.tsx'
import { useUpdateDiscussion } from '../queries.ts'
import { PickMany } from './pick-many.tsx'

interface PickAssigneesProps {
  discussion: Discussion
  onClose: () => void
}

/** Chooses who is to see to a thread: those who are assigned or take part in it, or people found by name. */
export default function PickAssignees({ discussion, onClose }: PickAssigneesProps) {
  const { address } = useRepo()
  const me = useMe()
  const update = useUpdateDiscussion(address, discussion.num)
  const [typed, setTyped] = useState('')
  const word = typed.trim().replace(/^@/, '').toLowerCase()
  const { data = [], isFetching } = useQuery({
    queryKey: ['people', word],
    queryFn: ({ signal }) => suggestPeople(word, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    enabled: word !== '',
  })
  const initial = discussion.assignees.map(({ username }) => username)
  // Whom it was given once stays in the list while it is open, so that a choice can be seen and taken back.
  const [known, setKnown] = useState(() => [
    ...new Set([...initial, ...peopleNear(discussion, me?.username)]),
  ])
  const found = word === '' ? [] : data.flatMap(({ kind, ns }) => (kind === 'user' ? [ns] : []))
  const names = [...new Set([...known, ...found])].filter((name) => name.toLowerCase().includes(word))
  return (
    <PickMany
      label="Choose assignees"
      word={typed}
      onWord={(next) => {
        setTyped(next)
        setKnown((now) => [...new Set([...now, ...found])])
      }}
      options={names.map((name) => ({ key: name, content: <Choice name={name} /> }))}
      empty={
        !isFetching && (
          <Text size="sm" c="dimmed">
            {word === '' ? 'Type a username.' : 'No user has such a name.'}
          </Text>
        )
      }
      initial={initial}
      most={limits.assignees}
      isPending={update.isPending}
      error={update.isError ? problemText(update.error) : undefined}
      onSave={(assignees) => update.mutate({ assignees }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

/** The viewer, and those who take part. */
const peopleNear = ({ events = [] }: Discussion, viewer: string | undefined) =>
  [viewer, ...events.map(({ author }) => author?.username)].filter((name) => name !== undefined)

function Choice({ name }: { name: string }) {
  return (
    <>
      <span style={{ display: 'inline-block', marginRight: 6, verticalAlign: 'middle' }}>
        <AvatarPicture ns={name} size={20} />
      </span>
      <Text span size="sm" fw={500}>
        {name}
      </Text>
    </>
  )
}
