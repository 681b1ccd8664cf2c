import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { showProblem } from '../../lib/form-errors.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TimeAgo } from '../../ui/facts.tsx'
import { savedTokenQuery, useDeleteToken, useSaveToken } from './queries.ts'
import { PasswordInput } from '../../ui/password-input.tsx'

interface UpstreamName {
  id: string
  name: string
}

interface TokenButtonProps {
  upstream: UpstreamName
  label?: string
  /** What a screen reader says in a list of hubs. */
  spoken?: string
}

/** Opens the dialog for one's own token of a hub. */
export function TokenButton({ upstream, label = 'Your token', spoken }: TokenButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="xs" variant="default" aria-label={spoken} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <TokenDialog upstream={upstream} onClose={() => setOpen(false)} />}
    </>
  )
}

function TokenDialog({ upstream, onClose }: { upstream: UpstreamName; onClose: () => void }) {
  const saved = useQuery(savedTokenQuery(upstream.id))
  const save = useSaveToken(upstream.id)
  const remove = useDeleteToken(upstream.id)
  const [fault, setFault] = useState<string>()
  const form = useForm({
    initialValues: { token: '' },
    validate: { token: (text) => (text.trim() ? null : 'paste the token') },
  })
  const submit = form.onSubmit(({ token }) => {
    setFault(undefined)
    save.mutate(token, { onSuccess: onClose, onError: (error) => setFault(showProblem(form, error)) })
  })
  return (
    <Dialog title={`Your token of ${upstream.name}`} onClose={onClose}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">
            With it, you see and pull what {upstream.name} shows to you alone. It is stored encrypted, and
            sent to that hub only. Mirrors that it makes are private.
          </Text>
          {fault && <Alert color="danger">{fault}</Alert>}
          {saved.data?.saved && saved.data.saved_at && (
            <Text size="sm" c="dimmed">
              Saved <TimeAgo time={saved.data.saved_at} />
              {saved.data.valid === true
                ? ', and accepted by the hub.'
                : '; the hub has not confirmed it yet.'}
            </Text>
          )}
          <PasswordInput
            label="Access token"
            autoComplete="off"
            data-autofocus
            {...form.getInputProps('token')}
          />
          <Group gap="xs">
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
            {saved.data?.saved && (
              <Button
                variant="default"
                loading={remove.isPending}
                onClick={() => remove.mutate(undefined, { onSuccess: onClose })}
              >
                Delete the saved one
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
