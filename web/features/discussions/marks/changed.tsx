import { Fragment } from 'react'
import type { DiscussionEvent } from '../../../lib/types.ts'
import { Person } from '../person.tsx'
import { LabelChip } from './label-chip.tsx'

type Change = NonNullable<DiscussionEvent['change']>
type Member = Change['added'][number]

/** Which labels a thread was given and lost, or who came to see to it and who no longer does. */
export function Changed({ event: { type, author, change } }: { event: DiscussionEvent }) {
  if (!change) return 'sorted this'
  const { added, removed } = change
  const [gave, took] = type === 'label_change' ? ['added', 'removed'] : ['assigned', 'unassigned']
  return (
    <>
      {added.length > 0 && <Members deed={gave} members={added} by={author?.username} />}
      {added.length > 0 && removed.length > 0 && ' and '}
      {removed.length > 0 && <Members deed={took} members={removed} by={author?.username} />}
    </>
  )
}

function Members({ deed, members, by }: { deed: string; members: Member[]; by: string | undefined }) {
  return (
    <>
      {deed}{' '}
      {members.map((member, i) => (
        <Fragment key={member.name}>
          {i > 0 && (member.color ? ' ' : i === members.length - 1 ? ' and ' : ', ')}
          <One member={member} by={by} />
        </Fragment>
      ))}
    </>
  )
}

function One({ member: { name, color }, by }: { member: Member; by: string | undefined }) {
  if (color) return <LabelChip name={name} color={color} />
  return name === by ? 'themselves' : <Person author={{ username: name, avatar_url: '' }} />
}
