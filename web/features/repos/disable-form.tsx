import { Button, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { notifyProblem } from '../../lib/notify.ts'
import { useMe } from '../../lib/session.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Section } from '../../ui/section.tsx'
import { EnableButton, Reason, type DisabledProps } from './disabled.tsx'
import { useDisableRepo } from './queries.ts'

/** The longest reason that the server takes. */
const maxReason = 2000

/** What instance admins alone do to any repo: keep its content back, saying why, and give it out again. */
export function DisableForm({ repo, address }: DisabledProps) {
  const me = useMe()
  if (!me?.is_admin) return null
  if (!repo.disabled) return <Disabling repo={repo} address={address} />
  return (
    <Section title="Disabled" note="Only admins of this server see its files.">
      <Reason disabled={repo.disabled} />
      <EnableButton repo={repo} address={address} />
    </Section>
  )
}

function Disabling({ repo, address }: DisabledProps) {
  const [reason, setReason] = useState('')
  const change = useDisableRepo(repo.id, address)
  useUnsaved(reason !== '')
  return (
    <Section
      title="Disable"
      note="For admins of this server. Until the repo is enabled again, only they can read or add files."
      danger
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const why = reason.trim()
          change.mutate({ disabled: true, ...(why ? { reason: why } : {}) }, { onError: notifyProblem })
        }}
      >
        <Stack gap="sm">
          <Textarea
            label="Reason"
            description="Shown to everyone who opens its page."
            maxLength={maxReason}
            autosize
            minRows={2}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Button type="submit" color="danger" variant="outline" w="fit-content" loading={change.isPending}>
            Disable this {repo.type}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}
