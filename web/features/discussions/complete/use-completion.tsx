import { Suspense, useCallback, useId, useRef, useState, type ReactNode, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import { late } from '../../../ui/late.tsx'
import { begunAt, completed, type Begun } from './begun.ts'
import type { KeyTaker } from './suggestions.tsx'

const Suggestions = late(() => import('./suggestions.tsx'))

/** Suggestions for the reference that is being typed in a field. */
export interface Completion {
  list: ReactNode
  roles: Record<string, string | boolean | undefined>
  /** Looks at what stands before the caret. */
  follow: (field: HTMLTextAreaElement) => void
  takesKey: (key: string) => boolean
  close: () => void
}

export function useCompletion(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  onChange: (text: string) => void,
): Completion {
  const id = useId()
  const [begun, setBegun] = useState<Begun>()
  const [active, setActive] = useState<string>()
  const keys = useRef<KeyTaker>(undefined)
  const setKeys = useCallback((taker: KeyTaker | undefined) => {
    keys.current = taker
  }, [])
  const close = useCallback(() => setBegun(undefined), [])
  const choose = (reference: string) => {
    const element = field.current
    if (!begun || !element) return
    const next = completed(text, begun, element.selectionEnd, reference)
    flushSync(() => {
      onChange(next.text)
      close()
    })
    element.focus()
    element.setSelectionRange(next.caret, next.caret)
  }
  return {
    close,
    follow: (element) => {
      const isCaret = element.selectionStart === element.selectionEnd
      const found = isCaret ? begunAt(element.value, element.selectionEnd) : undefined
      if (found?.word !== begun?.word || found?.from !== begun?.from) setBegun(found)
    },
    takesKey: (key) => begun !== undefined && (keys.current?.(key) ?? false),
    roles: active
      ? { 'aria-controls': id, 'aria-autocomplete': 'list', 'aria-activedescendant': active }
      : { 'aria-autocomplete': 'list' },
    list: begun && (
      <Suspense>
        <Suggestions
          key={`${begun.kind} ${begun.from}`}
          id={id}
          begun={begun}
          onKeys={setKeys}
          onActive={setActive}
          onChoose={choose}
          onClose={close}
        />
      </Suspense>
    ),
  }
}
