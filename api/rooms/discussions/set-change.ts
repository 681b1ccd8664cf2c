import type { LabelColor } from '../../../shared/vocabulary.ts'

/** A label or an assignee as the thread remembers it: labels have a colour. */
export interface SetMember {
  name: string
  color?: LabelColor
}

/** What was added to the labels or the assignees of a discussion, and what was removed. */
export interface SetChange {
  added: SetMember[]
  removed: SetMember[]
}

/** A change of the labels or the assignees of a discussion, and their names before and after. */
export interface SetOutcome {
  change: SetChange
  before: string[]
  after: string[]
}
