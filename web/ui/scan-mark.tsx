import type { ScanStatus } from '../../shared/vocabulary.ts'
import { Mark } from './mark.tsx'

const marks = {
  unsafe: ['danger', 'unsafe', 'Loading this file can run code.'],
  suspicious: ['caution', 'suspicious', 'It is not known what loading this file runs.'],
  failed: ['caution', 'scan failed', 'This file could not be scanned to its end.'],
} as const

/** The word for a file that the scan does not call safe; nothing for all others. */
export function ScanMark({ status }: { status: ScanStatus | undefined }) {
  if (status !== 'unsafe' && status !== 'suspicious' && status !== 'failed') return null
  const [color, word, title] = marks[status]
  return (
    <Mark color={color} title={title}>
      {word}
    </Mark>
  )
}
