import type { ColouredRun } from './highlight.ts'

/** One line of coloured text. */
export function Runs({ runs }: { runs: ColouredRun[] }) {
  return runs.map(([text, light, dark], i) => (
    <span key={i} style={light ? { color: `light-dark(${light}, ${dark || light})` } : undefined}>
      {text}
    </span>
  ))
}
