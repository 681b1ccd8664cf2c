import { Fragment } from 'react'
import type { FileDiff } from '../../lib/types.ts'
import classes from './diff.module.css'

type Hunk = FileDiff['hunks'][number]

const signs = { context: ' ', add: '+', delete: '-' } as const

/** The changed lines of a file with some around them; line numbers before and after. */
export function Hunks({ hunks }: { hunks: Hunk[] }) {
  return (
    <div className={classes['scroll']} tabIndex={0} role="group" aria-label="Changed lines">
      <table className={classes['diff']}>
        <tbody>
          {hunks.map((hunk, i) => (
            <Fragment key={i}>
              <tr data-kind="hunk">
                <td
                  colSpan={3}
                >{`@@ −${hunk.old_start},${hunk.old_lines} +${hunk.new_start},${hunk.new_lines} @@`}</td>
              </tr>
              {numbered(hunk).map(({ kind, text, before, after }, j) => (
                <tr key={j} data-kind={kind}>
                  <td>{before}</td>
                  <td>{after}</td>
                  <td>
                    {signs[kind]} {text}
                  </td>
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Each line with its number in the old and in the new file, where it stands in them. */
export function numbered(hunk: Hunk) {
  let before = hunk.old_start
  let after = hunk.new_start
  return hunk.lines.map((line) => ({
    ...line,
    before: line.kind === 'add' ? undefined : before++,
    after: line.kind === 'delete' ? undefined : after++,
  }))
}
