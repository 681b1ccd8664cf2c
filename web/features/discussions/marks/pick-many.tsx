import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useUnsaved } from '../../../lib/unsaved.ts'
import classes from './marks.module.css'

/** Something to choose, by a key of its own. */
export interface Option {
  key: string
  content: ReactNode
}

interface PickManyProps {
  /** What the field that narrows the list is called. */
  label: string
  word: string
  onWord: (word: string) => void
  options: Option[]
  /** Instead of a list without options. */
  empty: ReactNode
  /** Keys of what is chosen, when it is opened. */
  initial: string[]
  most: number
  isPending: boolean
  error: string | undefined
  onSave: (chosen: string[]) => void
  onClose: () => void
}

/** Chooses several of a list: by pressing them, or from the field by arrows and Enter. Nothing changes before it is saved. */
export function PickMany(props: PickManyProps) {
  const { label, word, onWord, options, empty, initial, most, isPending, error, onSave, onClose } = props
  const id = useId()
  const [chosen, setChosen] = useState(initial)
  const [wanted, setActive] = useState(0)
  const active = Math.min(wanted, options.length - 1)
  const isChanged = chosen.length !== initial.length || chosen.some((key) => !initial.includes(key))
  const isTooMany = chosen.length > most
  useUnsaved(isChanged)
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])
  const toggle = (key: string) =>
    setChosen((now) => (now.includes(key) ? now.filter((each) => each !== key) : [...now, key]))
  const save = () => (isChanged ? onSave(chosen) : onClose())
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const at = options[active]
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
    else if (event.key === 'Enter' && at) toggle(at.key)
    else if (step && options.length > 0) setActive((active + step + options.length) % options.length)
    else return
    event.preventDefault()
  }
  return (
    <Stack gap="xs" w="100%" role="group" aria-label={label}>
      <TextInput
        size="xs"
        aria-label={label}
        placeholder="Type to narrow the list"
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
        autoFocus
        autoComplete="off"
        maxLength={96}
        value={word}
        onChange={(event) => {
          setActive(0)
          onWord(event.currentTarget.value)
        }}
        onKeyDown={onKeyDown}
      />
      {options.length === 0 && empty}
      <div
        id={id}
        className={classes['options']}
        role="listbox"
        aria-multiselectable
        aria-label={label}
        hidden={options.length === 0}
      >
        {options.map(({ key, content }, i) => (
          <button
            key={key}
            id={`${id}-${i}`}
            type="button"
            tabIndex={-1}
            className={classes['option']}
            role="option"
            aria-selected={chosen.includes(key)}
            data-active={i === active || undefined}
            // A press must not take the focus from the field.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              setActive(i)
              toggle(key)
            }}
          >
            <IconCheck size={14} aria-hidden />
            <span className={classes['optionText']}>{content}</span>
          </button>
        ))}
      </div>
      {(error ?? isTooMany) && (
        <Text size="xs" c="var(--mantine-color-danger-text)" role="alert">
          {isTooMany ? `At most ${most} can be chosen.` : error}
        </Text>
      )}
      <Group gap="xs">
        <Button size="xs" loading={isPending} disabled={isTooMany} onClick={save}>
          Save
        </Button>
        <Button size="xs" variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}
