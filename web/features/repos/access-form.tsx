import { Alert, Button, Checkbox, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiProblem } from '../../../shared/client.ts'
import { fileUrl } from '../../../shared/transfer.ts'
import { notifyProblem } from '../../lib/notify.ts'
import { pages } from '../../lib/pages.ts'
import type { Repo, RepoAddress } from '../../lib/types.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import Markdown from '../../ui/markdown/markdown.tsx'
import { useRequestAccess } from './queries.ts'

type Form = NonNullable<Repo['access_form']>
type Field = Form['fields'][number]

interface AccessFormProps {
  repo: Repo
  address: RepoAddress
}

/** Asks for the files of a gated repo, with what its card wants to know. */
export default function AccessForm({ repo, address }: AccessFormProps) {
  const form: Form = repo.access_form ?? { fields: [] }
  const [answers, setAnswers] = useState<Record<string, string>>({})
  const [message, setMessage] = useState('')
  const request = useRequestAccess(address)
  useUnsaved(message !== '' || Object.keys(answers).length > 0)
  const faults = faultsOf(request.error)
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    request.mutate(
      { ...(message ? { message } : {}), ...(form.fields.length > 0 ? { fields: answers } : {}) },
      { onError: (error) => faultsOf(error).size === 0 && notifyProblem(error) },
    )
  }
  return (
    <Alert color="pending" title={form.heading ?? 'Request access to these files'} mb="md">
      <Stack gap="xs" align="flex-start" component="form" onSubmit={submit}>
        {form.prompt && <Prompt repo={repo} address={address} text={form.prompt} />}
        {form.description && <Text size="sm">{form.description}</Text>}
        <Text size="sm">
          {repo.access === 'rejected' && 'Your last request was turned down; you may ask again after a day. '}
          {repo.gated === 'auto'
            ? 'Access is given at once.'
            : 'The people who own it decide about each request.'}{' '}
          They see your name and what you answer here.
        </Text>
        {form.fields.map((field) => (
          <Question
            key={field.name}
            field={field}
            value={answers[field.name] ?? ''}
            fault={faults.get(field.name)}
            onChange={(value) => setAnswers((all) => ({ ...all, [field.name]: value }))}
          />
        ))}
        {form.fields.length === 0 && (
          <Textarea
            label="What you want it for"
            w="100%"
            maw={520}
            autosize
            minRows={2}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
        )}
        <Button type="submit" size="xs" loading={request.isPending}>
          {form.button ?? 'Request access'}
        </Button>
      </Stack>
    </Alert>
  )
}

/** What was wrong with which answer. */
function faultsOf(error: unknown): Map<string, string> {
  const all = error instanceof ApiProblem ? error.errors : []
  return new Map(all.map(({ field, message }) => [field.replace(/^fields\./, ''), message]))
}

function Prompt({ repo, address, text }: AccessFormProps & { text: string }) {
  const [base] = useState(() => ({
    folder: '',
    idPrefix: 'gate-',
    pageOf: (path: string) => pages.blob(address, repo.default_branch, path),
    bytesOf: (path: string) => fileUrl(address, repo.default_branch, path),
  }))
  return <Markdown text={text} base={base} />
}

interface QuestionProps {
  field: Field
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}

function Question({ field: { name, kind, options = [] }, value, fault, onChange }: QuestionProps) {
  const common = { label: name, error: fault, w: '100%', maw: 520 }
  if (kind === 'checkbox')
    return (
      <Checkbox
        label={name}
        error={fault}
        checked={value === 'true'}
        onChange={(event) => onChange(event.currentTarget.checked ? 'true' : '')}
      />
    )
  if (kind === 'select')
    return (
      <NativeSelect
        {...common}
        data={[{ value: '', label: 'Choose' }, ...options]}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  return (
    <TextInput
      {...common}
      type={kind === 'date' ? 'date' : 'text'}
      {...(kind === 'country' ? { autoComplete: 'country-name' } : {})}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
