import { Autocomplete, TagsInput, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { commonLanguages, type Field } from './fields.ts'
import type { FieldValue } from './front-matter.ts'
import { namesQuery, vocabularyQuery } from './queries.ts'

interface FieldInputProps {
  field: Field
  /** `null` where the card has something that is no text and no list of texts. */
  value: FieldValue | null | undefined
  onChange: (value: FieldValue | undefined) => void
}

/** One field of the metadata, with completion. Any other value may be typed. */
export function FieldInput({ field, value, onChange }: FieldInputProps) {
  const [typed, setTyped] = useState('')
  const data = useCompletion(field, typed)
  const about = { label: field.label, description: field.note }
  if (value === null)
    return (
      <TextInput
        {...about}
        value="Edit this one in the text of the card: it is no text and no list of texts."
        readOnly
        disabled
      />
    )
  if (field.isList)
    return (
      <TagsInput
        {...about}
        data={data}
        value={listOf(value)}
        onChange={onChange}
        onSearchChange={setTyped}
        splitChars={[',']}
        acceptValueOnBlur
        clearable
        renderOption={({ option }) =>
          field.completion === 'language' ? languageText(option.value) : option.value
        }
        maxDropdownHeight={260}
        limit={60}
      />
    )
  // A card may name several where one is usual: the first counts, and the others must not be lost.
  if (Array.isArray(value) && value.length > 1)
    return <TagsInput {...about} data={data} value={value} onChange={onChange} />
  return (
    <Autocomplete
      {...about}
      data={data}
      value={listOf(value)[0] ?? ''}
      onChange={(text) => onChange(text.trim() === '' ? undefined : text.trim())}
      limit={60}
      maxDropdownHeight={260}
    />
  )
}

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** `de · German`; `multilingual` and `code` are no languages. */
function languageText(code: string): string {
  const name = /^[a-z]{2,3}$/.test(code) ? languageNames.of(code) : undefined
  return name ? `${code} · ${name}` : code
}

const listOf = (value: FieldValue | undefined): string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value

function useCompletion({ completion }: Field, typed: string): string[] {
  const [word] = useDebouncedValue(typed.trim(), 250)
  const { data: known } = useQuery(vocabularyQuery)
  const isRepo = completion === 'model' || completion === 'dataset'
  const type = completion === 'dataset' ? 'datasets' : 'models'
  const names = useQuery({ ...namesQuery(type, word), enabled: isRepo && word.length > 0 })
  if (typeof completion === 'object') return [...completion]
  if (isRepo) return names.data ?? []
  if (completion === 'language') return commonLanguages
  if (completion === 'task') return known?.tasks.map(({ id }) => id) ?? []
  if (completion === 'library') return known?.libraries ?? []
  return completion === 'licence' ? (known?.licences ?? []) : []
}
