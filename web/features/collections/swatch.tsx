import { ColorSwatch } from '@mantine/core'
import type { CollectionTheme } from '../../../shared/vocabulary.ts'
import { colourOf } from './words.ts'

/** The colour of a collection that has one. */
export function Swatch({ theme, size = 12 }: { theme: CollectionTheme | undefined; size?: number }) {
  if (!theme) return null
  return (
    <ColorSwatch component="span" color={colourOf(theme)} size={size} mt={4} withShadow={false} aria-hidden />
  )
}
