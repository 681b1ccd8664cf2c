import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { GripProps } from '../lib/use-drag.ts'
import classes from './order-controls.module.css'

/** What a row is dragged by. Those who cannot drag have {@link MoveButtons}. */
export function Grip(props: GripProps) {
  return (
    <button type="button" className={classes['grip']} tabIndex={-1} aria-hidden {...props}>
      <IconGripVertical size={16} />
    </button>
  )
}

interface MoveButtonsProps {
  /** Of what is moved. */
  name: string
  isFirst: boolean
  isLast: boolean
  /** By so many places; the button keeps the focus. */
  onMove: (by: number, button: HTMLElement) => void
}

/** Move a row up and down. */
export function MoveButtons({ name, isFirst, isLast, onMove }: MoveButtonsProps) {
  return (
    <>
      <MoveButton label={`Move ${name} up`} isEnd={isFirst} onMove={(button) => onMove(-1, button)}>
        <IconArrowUp size={14} />
      </MoveButton>
      <MoveButton label={`Move ${name} down`} isEnd={isLast} onMove={(button) => onMove(1, button)}>
        <IconArrowDown size={14} />
      </MoveButton>
    </>
  )
}

interface MoveButtonProps {
  label: string
  /** Whether it can go no further: the button stays, so that the focus does. */
  isEnd: boolean
  onMove: (button: HTMLElement) => void
  children: ReactNode
}

function MoveButton({ label, isEnd, onMove, children }: MoveButtonProps) {
  return (
    <ActionIcon
      size="sm"
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      aria-disabled={isEnd}
      {...(isEnd ? { 'data-disabled': true, bg: 'transparent' } : {})}
      onClick={(event) => !isEnd && onMove(event.currentTarget)}
    >
      {children}
    </ActionIcon>
  )
}
