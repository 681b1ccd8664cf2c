import { VisuallyHidden } from '@mantine/core'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useFocusGivenBack } from '../../lib/focus-given-back.ts'
import { late } from '../../ui/late.tsx'

const Palette = late(() => import('./palette.tsx'))

/** The palette, and what is typed before it is fetched and shown. */
export function PaletteHost({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('')
  const [isShown, setIsShown] = useState(false)
  useFocusGivenBack()
  return (
    <>
      {!isShown && <EarlyKeys query={query} onChange={setQuery} onClose={onClose} />}
      <Suspense>
        <Palette query={query} onQueryChange={setQuery} onFocus={() => setIsShown(true)} onClose={onClose} />
      </Suspense>
    </>
  )
}

interface EarlyKeysProps {
  query: string
  onChange: (query: string) => void
  onClose: () => void
}

/** Holds the focus until the palette's own field takes it. */
function EarlyKeys({ query, onChange, onClose }: EarlyKeysProps) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  return (
    <VisuallyHidden>
      <input
        ref={field}
        aria-label="Palette, being fetched"
        tabIndex={-1}
        autoComplete="off"
        value={query}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
    </VisuallyHidden>
  )
}
