import { Autocomplete, Button, Group, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { problemText } from '../../../lib/form-errors.ts'
import { notifyDone } from '../../../lib/notify.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import type { Discussion } from '../../../lib/types.ts'
import { suggestPeople } from '../complete/suggestions.tsx'
import { useRequestReview } from '../queries.ts'

interface AskReviewerProps {
  discussion: Discussion
  onClose: () => void
}

/** Asks a person for a review, by their username. */
export default function AskReviewer({ discussion, onClose }: AskReviewerProps) {
  const { address } = useRepo()
  const request = useRequestReview(address, discussion.num)
  const [name, setName] = useState('')
  const { data = [] } = useQuery({
    queryKey: ['people', name],
    queryFn: ({ signal }) => suggestPeople(name, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    enabled: name !== '',
  })
  const people = data.filter(({ kind, ns }) => kind === 'user' && ns !== discussion.author?.username)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const user = name.trim().replace(/^@/, '')
    if (user === '') return
    request.mutate(
      { user, isWanted: true },
      {
        onSuccess: () => {
          notifyDone(`${user} is asked for a review`)
          onClose()
        },
      },
    )
  }
  return (
    <Stack component="form" gap="xs" w="100%" onSubmit={submit}>
      <Autocomplete
        label="Whose review?"
        placeholder="Username"
        data-autofocus
        autoFocus
        size="xs"
        maxLength={96}
        data={people.map(({ ns }) => ns)}
        limit={6}
        value={name}
        onChange={setName}
        error={request.isError ? problemText(request.error) : undefined}
      />
      <Group gap="xs">
        <Button type="submit" size="xs" loading={request.isPending} disabled={name.trim() === ''}>
          Ask
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
