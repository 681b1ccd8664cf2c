import { Button, Group, Text } from '@mantine/core'
import { IconHeart, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { notifyProblem } from '../../lib/notify.ts'
import type { Collection } from '../../lib/types.ts'
import type { GripProps } from '../../lib/use-drag.ts'
import { CountNumber, Size, TimeAgo } from '../../ui/facts.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Grip, MoveButtons } from '../../ui/order-controls.tsx'
import classes from './collections.module.css'
import { SmallCover } from './cover.tsx'
import { NoteForm } from './note-form.tsx'
import { UpvoteCount } from './upvote-button.tsx'
import { useRemoveItem, type CollectionAddress } from './queries.ts'
import { countOf, nameOf, pageOf } from './words.ts'

type Item = Collection['items'][number]

/** How a row is moved. */
interface Editing {
  isFirst: boolean
  isLast: boolean
  /** By so many places; the button keeps the focus. */
  onMove: (by: number, button: HTMLElement) => void
  grip: GripProps
}

interface ItemRowProps {
  item: Item
  at: CollectionAddress
  /** Left out for those who may only look. */
  editing?: Editing
}

/** A repo or a collection in a collection: what it is, and what is said of it there. */
export function ItemRow({ item, at, editing }: ItemRowProps) {
  const [isNoting, setIsNoting] = useState(false)
  return (
    <>
      {editing && <Grip {...editing.grip} />}
      <div className={classes['about']}>
        <Names item={item} />
        {isNoting ? (
          <NoteForm item={item} at={at} onClose={() => setIsNoting(false)} />
        ) : (
          item.note && (
            <Text size="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {item.note}
            </Text>
          )
        )}
        {editing && !isNoting && (
          <Buttons item={item} at={at} editing={editing} onNote={() => setIsNoting(true)} />
        )}
      </div>
    </>
  )
}

function Names({ item: each }: { item: Item }) {
  const { item, repo, collection } = each
  const description = (repo ?? collection)?.description
  return (
    <>
      <Group gap={6}>
        {collection && <SmallCover theme={collection.theme} />}
        <Text
          component={Link}
          to={pageOf(item)}
          {...(collection ? {} : { ff: 'monospace' })}
          fw={600}
          size="sm"
          c="var(--mantine-color-text)"
          style={{ overflowWrap: 'anywhere' }}
        >
          {nameOf(each)}
        </Text>
        <Mark>{item.type}</Mark>
        {(repo ?? collection)?.visibility === 'private' && <Mark color="caution">private</Mark>}
        {repo?.gated && <Mark color="pending">gated</Mark>}
      </Group>
      {collection && (
        <Text size="xs" c="dimmed" component="div">
          <Text span inherit ff="monospace">
            {collection.ns}
          </Text>{' '}
          · {countOf(collection)} · <UpvoteCount value={collection.upvotes} /> ·{' '}
          <TimeAgo time={collection.updated_at} />
        </Text>
      )}
      {repo && (
        <Text size="xs" c="dimmed" component="div">
          {repo.task && `${repo.task} · `}
          <Size bytes={repo.size_bytes} /> · <IconHeart size={12} aria-label="Likes" />{' '}
          <CountNumber value={repo.likes} /> · <TimeAgo time={repo.updated_at} />
        </Text>
      )}
      {description && (
        <Text size="xs" c="dimmed" lineClamp={1}>
          {description}
        </Text>
      )}
    </>
  )
}

interface ButtonsProps extends Required<ItemRowProps> {
  onNote: () => void
}

function Buttons({ item, at, editing, onNote }: ButtonsProps) {
  const remove = useRemoveItem(at)
  const name = nameOf(item)
  const { isFirst, isLast, onMove } = editing
  return (
    <Group gap={4}>
      <MoveButtons name={name} isFirst={isFirst} isLast={isLast} onMove={onMove} />
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconPencil size={12} />}
        aria-label={`${item.note ? 'Edit note on' : 'Add a note to'} ${name}`}
        onClick={onNote}
      >
        {item.note ? 'Edit note' : 'Add a note'}
      </Button>
      <Button
        size="compact-xs"
        variant="subtle"
        color="danger"
        leftSection={<IconTrash size={12} />}
        aria-label={`Remove ${name}`}
        loading={remove.isPending}
        onClick={() => remove.mutate(item.id, { onError: notifyProblem })}
      >
        Remove
      </Button>
    </Group>
  )
}
