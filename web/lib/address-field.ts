import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef } from 'react'

/** The address follows once nothing was typed for so long. */
const WAIT_MS = 250

/**
 * The parts of a text field whose text stands in the address as `value`. `take` puts what was typed there. The field
 * follows the address where something else changes it, but never while one writes in it: it would lose letters.
 */
export function useAddressField(value: string, take: (field: HTMLInputElement) => void) {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (ref.current && document.activeElement !== ref.current) ref.current.value = value
  }, [value])
  const onChange = useDebouncedCallback(() => ref.current && take(ref.current), WAIT_MS)
  return { ref, defaultValue: value, onChange }
}
