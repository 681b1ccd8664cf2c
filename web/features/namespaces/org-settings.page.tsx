import { Alert, Anchor, Button, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { showProblem } from '../../lib/form-errors.ts'
import { namespaceQuery } from '../../lib/namespace.ts'
import { notifyDone, notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import { hasRole } from '../../lib/repo-context.ts'
import type { Namespace } from '../../lib/types.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { AvatarField } from '../../ui/avatar-field.tsx'
import { ConfirmName } from '../../ui/confirm-name.tsx'
import { DefaultVisibility } from '../../ui/default-visibility.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { MemberList } from './member-list.tsx'
import { useDeleteOrg, useUpdateOrg } from './queries.ts'

/** `/{ns}/settings`: an organisation's profile, members and end. */
export function Component() {
  const { ns = '' } = useParams()
  const query = useQuery(namespaceQuery(ns))
  return (
    <PageFrame title={`Settings of ${ns}`} width={880}>
      <Loaded query={query}>
        {(namespace) =>
          namespace.kind === 'org' && hasRole(namespace, 'admin') ? (
            <Stack gap="md">
              <ProfileForm org={namespace} />
              <MemberList ns={ns} />
              <Section title="Webhooks" note="Tell other servers what happens here.">
                <Anchor component={Link} to={pages.orgWebhooks(ns)} size="sm" w="fit-content">
                  Webhooks of this organisation
                </Anchor>
              </Section>
              <DeleteOrg ns={ns} />
            </Stack>
          ) : (
            <EmptyState picture="lock" title="Only admins of an organisation see its settings" />
          )
        }
      </Loaded>
    </PageFrame>
  )
}

function ProfileForm({ org }: { org: Namespace }) {
  const form = useForm({
    initialValues: {
      display_name: org.display_name,
      bio: org.bio ?? '',
      website: org.website ?? '',
      default_visibility: org.default_visibility,
    },
  })
  const update = useUpdateOrg(org.ns)
  const [fault, setFault] = useState<string>()
  useUnsaved(form.isDirty())
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    update.mutate(values, {
      onSuccess: () => {
        form.resetDirty(values)
        notifyDone('Profile saved')
      },
      onError: (error) => setFault(showProblem(form, error)),
    })
  })
  return (
    <Section title="Profile">
      <AvatarField ns={org.ns} />
      <form onSubmit={submit}>
        <Stack gap="sm" maw={480}>
          {fault && <Alert color="danger">{fault}</Alert>}
          <TextInput label="Display name" {...form.getInputProps('display_name')} />
          <Textarea label="What it does" autosize minRows={2} {...form.getInputProps('bio')} />
          <TextInput label="Website" type="url" {...form.getInputProps('website')} />
          <DefaultVisibility {...form.getInputProps('default_visibility')} />
          <Button type="submit" w="fit-content" loading={update.isPending}>
            Save
          </Button>
        </Stack>
      </form>
    </Section>
  )
}

function DeleteOrg({ ns }: { ns: string }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const remove = useDeleteOrg(ns)
  const navigate = useNavigate()
  const confirm = () =>
    remove.mutate(undefined, { onSuccess: () => void navigate('/'), onError: notifyProblem })
  return (
    <Section title="Delete" note="Only an organisation that owns nothing can be deleted." danger>
      <Button color="danger" variant="outline" w="fit-content" onClick={open}>
        Delete this organisation
      </Button>
      {isOpen && (
        <ConfirmName
          title={`Delete ${ns}`}
          name={ns}
          action="Delete organisation"
          isPending={remove.isPending}
          onConfirm={confirm}
          onClose={close}
        >
          The organisation and its membership end at once. This cannot be undone.
        </ConfirmName>
      )}
    </Section>
  )
}
