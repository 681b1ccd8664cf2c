import { Alert, Checkbox, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { ApiProblem } from '../../../../shared/client.ts'
import { showProblem } from '../../../lib/form-errors.ts'
import { notifyDone } from '../../../lib/notify.ts'
import { useUnsaved } from '../../../lib/unsaved.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { useCreateUpstream, useUpdateUpstream, type Upstream, type UpstreamUpdate } from './queries.ts'
import { PasswordInput } from '../../../ui/password-input.tsx'

interface Values extends Record<string, unknown> {
  id: string
  name: string
  base_url: string
  viewer_url: string
  namespace_prefix: string
  token: string
  removes_token: boolean
  enabled: boolean
}

const valuesOf = (upstream?: Upstream): Values => ({
  id: upstream?.id ?? '',
  name: upstream?.name ?? '',
  base_url: upstream?.base_url ?? '',
  viewer_url: upstream?.viewer_url ?? '',
  namespace_prefix: upstream?.namespace_prefix ?? '',
  token: '',
  removes_token: false,
  enabled: upstream?.enabled ?? true,
})

/** Adds a hub. */
export function NewUpstream({ onClose }: { onClose: () => void }) {
  const create = useCreateUpstream()
  return (
    <Dialog onClose={onClose} title="Add an upstream" size="lg">
      <Fields
        action="Add"
        isPending={create.isPending}
        onClose={onClose}
        onSubmit={({ id, name, base_url, viewer_url, namespace_prefix, token, enabled }, onError) =>
          create.mutate(
            {
              id,
              base_url,
              enabled,
              ...(name && { name }),
              ...(viewer_url && { viewer_url }),
              ...(namespace_prefix && { namespace_prefix }),
              ...(token && { token }),
            },
            { onSuccess: onClose, onError },
          )
        }
      />
    </Dialog>
  )
}

/** Changes a hub that an admin has added. */
export function EditUpstream({ upstream, onClose }: { upstream: Upstream; onClose: () => void }) {
  const update = useUpdateUpstream(upstream.id)
  return (
    <Dialog onClose={onClose} title={`Edit ${upstream.name}`} size="lg">
      <Fields
        upstream={upstream}
        action="Save"
        isPending={update.isPending}
        onClose={onClose}
        onSubmit={(values, onError) =>
          update.mutate(changesOf(upstream, values), {
            onSuccess: () => {
              notifyDone(`${values.name} saved`)
              onClose()
            },
            onError,
          })
        }
      />
    </Dialog>
  )
}

/** What differs from before. A viewer that was left alone is not sent, so that it keeps following the address. */
function changesOf(before: Upstream, values: Values): UpstreamUpdate {
  const { name, base_url, viewer_url, namespace_prefix, token, removes_token, enabled } = values
  return {
    ...(name !== before.name && { name }),
    ...(base_url !== before.base_url && { base_url }),
    ...(viewer_url !== before.viewer_url && { viewer_url: viewer_url || null }),
    ...(namespace_prefix !== before.namespace_prefix && { namespace_prefix }),
    ...(token ? { token } : removes_token && { token: null }),
    ...(enabled !== before.enabled && { enabled }),
  }
}

interface FieldsProps {
  upstream?: Upstream
  action: string
  isPending: boolean
  onSubmit: (values: Values, onError: (error: unknown) => void) => void
  onClose: () => void
}

function Fields({ upstream, action, isPending, onSubmit, onClose }: FieldsProps) {
  const form = useForm<Values>({ initialValues: valuesOf(upstream) })
  const [fault, setFault] = useState<string>()
  useUnsaved(form.isDirty())
  const showFault = (error: unknown) => {
    if (error instanceof ApiProblem && error.code === 'already-exists') {
      form.setFieldError('id', error.detail ?? error.title)
      form.getInputNode('id')?.focus()
    } else setFault(showProblem(form, error))
  }
  const submit = form.onSubmit((values) => {
    setFault(undefined)
    onSubmit(values, showFault)
  })
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {fault && <Alert color="danger">{fault}</Alert>}
        {!upstream && (
          <TextInput
            label="Id"
            description="Names it in commands and addresses, and cannot be changed: a–z, 0–9, - and _"
            placeholder="partner"
            required
            data-autofocus
            {...form.getInputProps('id')}
          />
        )}
        <TextInput
          label="Name"
          required={upstream !== undefined}
          {...(upstream ? {} : { description: 'Empty: the id' })}
          {...form.getInputProps('name')}
        />
        <TextInput
          label="Base URL"
          {...(upstream?.has_instance_token
            ? { description: 'A new address removes the token, unless you enter one below.' }
            : {})}
          placeholder="https://hub.example"
          required
          {...form.getInputProps('base_url')}
        />
        <TextInput
          label="Dataset viewer URL"
          description="Empty: datasets-server. before the host of the base URL"
          {...form.getInputProps('viewer_url')}
        />
        <TextInput
          label="Namespace prefix"
          description="Begins the names of namespaces with its mirrors. Empty: they keep their names."
          {...form.getInputProps('namespace_prefix')}
        />
        <TokenField form={form} hasToken={upstream?.has_instance_token ?? false} />
        <Checkbox
          label="Enabled"
          description="A disabled upstream is not read: not by people, not by its mirrors."
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
        <FormActions isPending={isPending} onClose={onClose}>
          {action}
        </FormActions>
      </Stack>
    </form>
  )
}

interface TokenFieldProps {
  form: ReturnType<typeof useForm<Values>>
  hasToken: boolean
}

/** The token of this server, which can be replaced and removed, and is never shown. */
function TokenField({ form, hasToken }: TokenFieldProps) {
  return (
    <>
      <PasswordInput
        label="Token"
        description={
          hasToken
            ? 'One is set, and is never shown. Empty: it stays.'
            : 'This server reads with it what is not public there. Stored encrypted, and never shown again.'
        }
        autoComplete="off"
        disabled={form.values.removes_token}
        {...form.getInputProps('token')}
      />
      {hasToken && (
        <Checkbox label="Remove the token" {...form.getInputProps('removes_token', { type: 'checkbox' })} />
      )}
    </>
  )
}
