import { MAX_LANES, type GraphRow } from './lanes.ts'
import classes from './graph.module.css'

const LANE_WIDTH = 14

/** How wide the lines of these rows are. */
export function widthOf(rows: readonly GraphRow[]): number {
  const lanes = Math.max(0, ...rows.flatMap(({ lane, below }) => [lane, ...below])) + 1
  return Math.min(lanes, MAX_LANES) * LANE_WIDTH
}

const xOf = (lane: number) => (Math.min(lane, MAX_LANES - 1) + 0.5) * LANE_WIDTH

/** The lines beside a commit. They say nothing that the list does not say as well. */
export function GraphLines({ row, width, isMerge }: { row: GraphRow; width: number; isMerge: boolean }) {
  const { lane, passing, from, to } = row
  const at = xOf(lane)
  return (
    <svg className={classes['lines']} width={width} aria-hidden>
      {passing.map((each) => (
        <line key={`p${each}`} data-lane={each} x1={xOf(each)} y1="0%" x2={xOf(each)} y2="100%" />
      ))}
      {from.map((each) => (
        <line key={`f${each}`} data-lane={each} x1={xOf(each)} y1="0%" x2={at} y2="50%" />
      ))}
      {to.map((each) => (
        <line key={`t${each}`} data-lane={each} x1={at} y1="50%" x2={xOf(each)} y2="100%" />
      ))}
      <circle data-lane={lane} data-merge={isMerge || undefined} cx={at} cy="50%" r={isMerge ? 5 : 4} />
    </svg>
  )
}

/** The lines that go on between two rows. */
export function GraphGap({ lanes, width }: { lanes: readonly number[]; width: number }) {
  return (
    <svg className={classes['lines']} width={width} aria-hidden>
      {lanes.map((each) => (
        <line key={each} data-lane={each} x1={xOf(each)} y1="0%" x2={xOf(each)} y2="100%" />
      ))}
    </svg>
  )
}
