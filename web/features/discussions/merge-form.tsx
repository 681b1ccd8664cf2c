import { Alert, Button, Group, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { showProblem } from '../../lib/form-errors.ts'
import { notifyDone } from '../../lib/notify.ts'
import { useRepo } from '../../lib/repo-context.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { limits } from '../../../shared/vocabulary.ts'
import { useMerge } from './merge.ts'
import type { PullProps } from './thread.ts'

type Values = { method: 'squash' | 'merge'; title: string; comment: string }

/** How to merge, under which title, and what to say on the occasion. */
export default function MergeForm({ discussion, pull, onClose }: PullProps & { onClose: () => void }) {
  const { address } = useRepo()
  const merge = useMerge(address, discussion.num)
  const [fault, setFault] = useState<string>()
  const form = useForm<Values>({ initialValues: { method: 'squash', title: '', comment: '' } })
  const isSent = merge.isPending || merge.isSuccess
  useUnsaved(!isSent && (form.values.title !== '' || form.values.comment !== ''))
  const submit = form.onSubmit(({ method, title, comment }) => {
    setFault(undefined)
    const said = { ...(title.trim() ? { title } : {}), ...(comment.trim() ? { comment } : {}) }
    merge.mutate(
      { method, ...said },
      {
        onSuccess: () => notifyDone(`Merged into ${pull.base}`),
        onError: (error) => setFault(showProblem(form, error)),
      },
    )
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {fault && <Alert color="danger">{fault}</Alert>}
        <Radio.Group label="How" {...form.getInputProps('method')}>
          <Stack gap={6} mt={6}>
            <Radio autoFocus value="squash" label={`As one commit on ${pull.base}`} />
            <Radio value="merge" label="As a merge commit, with its own history" />
          </Stack>
        </Radio.Group>
        <TextInput
          label="Commit title"
          placeholder={`${discussion.title} (#${discussion.num})`}
          maxLength={limits.discussionTitle}
          {...form.getInputProps('title')}
        />
        <Textarea label="Comment" autosize minRows={2} maxRows={12} {...form.getInputProps('comment')} />
        <Group gap="xs">
          <Button type="submit" loading={merge.isPending}>
            Merge into {pull.base}
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
