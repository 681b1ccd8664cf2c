import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../../shared/vocabulary.ts'
import { problemText } from '../../../lib/form-errors.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import type { Discussion } from '../../../lib/types.ts'
import { useUpdateDiscussion } from '../queries.ts'
import { LabelChip } from './label-chip.tsx'
import { PickMany } from './pick-many.tsx'
import { labelsQuery } from './queries.ts'

interface PickLabelsProps {
  discussion: Discussion
  onManage: () => void
  onClose: () => void
}

/** Chooses the labels of a thread among those of the repo. */
export default function PickLabels({ discussion, onManage, onClose }: PickLabelsProps) {
  const { address } = useRepo()
  const update = useUpdateDiscussion(address, discussion.num)
  const { data, isPending } = useQuery(labelsQuery(address))
  const [word, setWord] = useState('')
  const all = data?.items ?? []
  const found = all.filter(({ name, description = '' }) =>
    `${name} ${description}`.toLowerCase().includes(word.trim().toLowerCase()),
  )
  return (
    <PickMany
      label="Choose labels"
      word={word}
      onWord={setWord}
      options={found.map(({ id, name, color }) => ({
        key: id,
        content: <LabelChip name={name} color={color} />,
      }))}
      empty={!isPending && <NoLabels isFiltered={all.length > 0} onManage={onManage} />}
      initial={discussion.labels.map(({ id }) => id)}
      most={limits.discussionLabels}
      isPending={update.isPending}
      error={update.isError ? problemText(update.error) : undefined}
      onSave={(labels) => update.mutate({ labels }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

function NoLabels({ isFiltered, onManage }: { isFiltered: boolean; onManage: () => void }) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {isFiltered ? 'No label matches.' : 'This repo has no labels yet.'}
      </Text>
      <Button size="xs" variant="default" w="fit-content" onClick={onManage}>
        Add a label
      </Button>
    </>
  )
}
