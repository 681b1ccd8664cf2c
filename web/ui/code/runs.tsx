import { memo } from 'react'
import type { ColouredRun } from './highlight.ts'

/** One line of coloured text. What has no colour needs no element: that is every other run. */
export const Runs = memo(function Runs({ runs }: { runs: ColouredRun[] }) {
  return runs.map(([text, light, dark], i) =>
    light ? (
      <span key={i} style={{ color: `light-dark(${light}, ${dark || light})` }}>
        {text}
      </span>
    ) : (
      text
    ),
  )
})
