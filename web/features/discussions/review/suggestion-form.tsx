import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiProblem } from '../../../../shared/client.ts'
import { limits } from '../../../../shared/vocabulary.ts'
import { showProblem } from '../../../lib/form-errors.ts'
import { notifyDone } from '../../../lib/notify.ts'
import { keyOf } from '../../../lib/repo-queries.ts'
import { useRepo } from '../../../lib/repo-context.ts'
import { useCommitSuggestion } from './use-commit-suggestion.ts'

interface SuggestionFormProps {
  num: number
  /** Of the comment. */
  id: string
  number: number
  path: string
  /** Of the pull request, as the page shows it. */
  head: string
  onClose: () => void
}

/** Under which message a suggestion is committed. */
export default function SuggestionForm({ num, id, number, path, head, onClose }: SuggestionFormProps) {
  const { address } = useRepo()
  const commit = useCommitSuggestion(address, num)
  const cache = useQueryClient()
  const [fault, setFault] = useState<string>()
  const [isBehind, setIsBehind] = useState(false)
  const form = useForm({ initialValues: { title: `Apply a suggestion to ${path}`, body: '' } })
  const submit = form.onSubmit(({ title, body }) => {
    setFault(undefined)
    commit.mutate(
      { id, body: { head, number, title, body } },
      {
        onSuccess: () => notifyDone('The suggestion is committed'),
        onError: (error) => {
          setIsBehind(error instanceof ApiProblem && error.code === 'commit-conflict')
          setFault(showProblem(form, error))
        },
      },
    )
  })
  const loadThem = () => {
    onClose()
    void cache.invalidateQueries({ queryKey: keyOf(address) })
  }
  return (
    <form onSubmit={submit} aria-label="Commit the suggestion">
      <Stack gap="xs" p="sm">
        {isBehind ? (
          <Alert color="caution" title="The pull request has new commits">
            <Text size="sm">Load them, and commit again if the suggestion still fits.</Text>
            <Button size="xs" mt="xs" onClick={loadThem}>
              Load them
            </Button>
          </Alert>
        ) : (
          fault && <Alert color="danger">{fault}</Alert>
        )}
        <TextInput
          size="xs"
          label="Commit title"
          data-autofocus
          autoFocus
          maxLength={limits.commitTitle}
          {...form.getInputProps('title')}
        />
        <Textarea
          size="xs"
          label="Description"
          description="A line that names the author of the suggestion follows."
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps('body')}
        />
        <Group gap="xs">
          <Button type="submit" size="xs" loading={commit.isPending}>
            Commit
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
