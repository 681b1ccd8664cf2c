import { Alert, Button, Stack, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { nameFault, reservedNamespaces } from '../../../shared/vocabulary.ts'
import { leadToFaults, showProblem } from '../../lib/form-errors.ts'
import { pages } from '../../lib/pages.ts'
import { useMe } from '../../lib/session.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { PageFrame } from '../../ui/page.tsx'
import { SignInState } from '../../ui/states.tsx'
import { useCreateOrg } from './queries.ts'

/** `/orgs/new` */
export function Component() {
  const me = useMe()
  if (me === null) return <SignInState next="/orgs/new" />
  return (
    <PageFrame title="New organisation" width={560}>
      <OrgForm />
    </PageFrame>
  )
}

function OrgForm() {
  const navigate = useNavigate()
  const create = useCreateOrg()
  const [fault, setFault] = useState<string>()
  const form = useForm({
    initialValues: { ns: '', display_name: '', bio: '' },
    validateInputOnChange: ['ns'],
    validate: { ns: orgNameFault },
  })
  const markSaved = useUnsaved(form.isDirty())
  const submit = form.onSubmit(({ ns, display_name, bio }) => {
    setFault(undefined)
    const body = { ns, ...(display_name ? { display_name } : {}), ...(bio ? { bio } : {}) }
    create.mutate(body, {
      onSuccess: (org) => {
        markSaved()
        void navigate(pages.namespace(org.ns))
      },
      onError: (error) => setFault(showProblem(form, error)),
    })
  }, leadToFaults(form))
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {fault && <Alert color="danger">{fault}</Alert>}
        <TextInput
          label="Name"
          description="As it stands in addresses"
          required
          {...form.getInputProps('ns')}
        />
        <TextInput label="Display name" {...form.getInputProps('display_name')} />
        <Textarea label="What it does" autosize minRows={2} {...form.getInputProps('bio')} />
        <Button type="submit" w="fit-content" loading={create.isPending}>
          Create organisation
        </Button>
      </Stack>
    </form>
  )
}

function orgNameFault(ns: string): string | null {
  if (reservedNamespaces.some((word) => word === ns.toLowerCase())) return 'this word is reserved'
  return nameFault(ns) ?? null
}
