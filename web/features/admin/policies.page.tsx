import { Alert, Anchor, Button, Checkbox, NativeSelect, NumberInput, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { showProblem } from '../../lib/form-errors.ts'
import { notifyDone } from '../../lib/notify.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Section } from '../../ui/section.tsx'
import { effectQuery, policiesQuery, useUpdatePolicies, type Policies, type PolicyEffect } from './queries.ts'

/** `/admin/policies`: what the server demands, and what that touches. */
export function Component() {
  const query = useQuery(policiesQuery)
  return (
    <>
      <Title order={1} mb="xs">
        Policies
      </Title>
      <Text size="sm" mb="md">
        A policy holds for everyone on this server, from the moment it is saved.
      </Text>
      <Loaded query={query}>{(policies) => <PolicyForm policies={policies} />}</Loaded>
    </>
  )
}

type Values = {
  token_max_days: number | string
  token_require_expiry: boolean
  password_min_score: string
  session_idle_minutes: number | string
  admin_second_factor: boolean
}

const valuesOf = (policies: Policies): Values => ({
  token_max_days: policies.token_max_days ?? '',
  token_require_expiry: policies.token_require_expiry,
  password_min_score: String(policies.password_min_score ?? 3),
  session_idle_minutes: policies.session_idle_minutes ?? '',
  admin_second_factor: policies.admin_second_factor,
})

const numberOf = (value: number | string): number | null => (value === '' ? null : Number(value))

const policiesOf = (values: Values): Policies => ({
  token_max_days: numberOf(values.token_max_days),
  token_require_expiry: values.token_require_expiry,
  password_min_score: values.password_min_score === '4' ? 4 : null,
  session_idle_minutes: numberOf(values.session_idle_minutes),
  admin_second_factor: values.admin_second_factor,
})

const scores = [
  { value: '3', label: 'Hard to guess (as always)' },
  { value: '4', label: 'Very hard to guess' },
]

function PolicyForm({ policies }: { policies: Policies }) {
  const form = useForm<Values>({ initialValues: valuesOf(policies) })
  const update = useUpdatePolicies()
  const [fault, setFault] = useState<string>()
  useUnsaved(form.isDirty())
  const wanted = policiesOf(form.values)
  const submit = form.onSubmit(() => {
    setFault(undefined)
    update.mutate(wanted, {
      onSuccess: (saved) => {
        const values = valuesOf(saved)
        form.setValues(values)
        form.resetDirty(values)
        notifyDone('Policies saved')
      },
      onError: (error) => setFault(showProblem(form, error)),
    })
  })
  const [asked] = useDebouncedValue(wanted, 300)
  const { data: effect } = useQuery({ ...effectQuery(asked), placeholderData: keepPreviousData })
  return (
    <form onSubmit={submit}>
      <Stack gap="md" maw={720}>
        {fault && <Alert color="danger">{fault}</Alert>}
        <Tokens form={form} effect={effect} isSaved={!form.isDirty()} />
        <Section
          title="Passwords"
          note="Counts when a password is set: by people, by links, by the command line."
        >
          <NativeSelect
            label="A new password must be"
            data={scores}
            {...form.getInputProps('password_min_score')}
          />
        </Section>
        <Section
          title="Sessions"
          note="A browser that is left open is signed out. Pages that refresh by themselves do not count as use."
        >
          <NumberInput
            label="Sign out after minutes without use"
            description="Empty: sessions last for security.session_ttl, used or not"
            min={5}
            max={43_200}
            allowDecimal={false}
            {...form.getInputProps('session_idle_minutes')}
          />
          {effect && wanted.session_idle_minutes !== null && (
            <Text size="sm">
              {effect.sessions_ending} of {effect.sessions} sessions end at once.
            </Text>
          )}
        </Section>
        <Section
          title="Admins"
          note="An admin without a second factor keeps their account, but cannot act as an admin until they add a passkey. For those who sign in with a provider, the provider is the factor."
        >
          <Checkbox
            label="Admins need a second factor"
            {...form.getInputProps('admin_second_factor', { type: 'checkbox' })}
          />
          {effect && (
            <Text size="sm">
              {effect.admins_without_factor} of {effect.admins} admins have none yet.
            </Text>
          )}
        </Section>
        <Button type="submit" w="fit-content" loading={update.isPending} disabled={!form.isDirty()}>
          Save
        </Button>
      </Stack>
    </form>
  )
}

interface TokensProps {
  form: ReturnType<typeof useForm<Values>>
  effect: PolicyEffect | undefined
  isSaved: boolean
}

function Tokens({ form, effect, isSaved }: TokensProps) {
  return (
    <Section
      title="Access tokens"
      note="Counts for new tokens, also those of device logins and those made with a token. Present tokens keep working."
    >
      <NumberInput
        label="Longest life in days"
        description="Empty: any"
        min={1}
        max={3650}
        allowDecimal={false}
        {...form.getInputProps('token_max_days')}
      />
      <Checkbox
        label="Every token needs an end"
        {...form.getInputProps('token_require_expiry', { type: 'checkbox' })}
      />
      {effect && (
        <Text size="sm">
          {effect.tokens_beyond} of {effect.tokens} tokens end later than that allows.{' '}
          {isSaved && effect.tokens_beyond > 0 && (
            <Anchor component={Link} to="/admin/tokens?beyond=1" inherit underline="always">
              Show them
            </Anchor>
          )}
        </Text>
      )}
    </Section>
  )
}
