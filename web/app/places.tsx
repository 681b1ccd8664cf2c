import { ActionIcon, Box, Group } from '@mantine/core'
import { IconMenu2 } from '@tabler/icons-react'
import { useId } from 'react'
import { NavLink } from 'react-router'
import classes from './shell.module.css'

const places = [
  ['/models', 'Models'],
  ['/datasets', 'Datasets'],
  ['/collections', 'Collections'],
] as const

/** Found by name in the palette too; on a narrow page they have no other place. */
const documents = [
  ['/docs/api', 'API reference'],
  ['/docs/compatibility', 'Compatibility'],
] as const

/** What is kept here: side by side where there is room, behind one button on a narrow page. */
export function Places() {
  return (
    <>
      <Group component="nav" aria-label="Places" gap={2} wrap="nowrap" visibleFrom="sm">
        {places.map(([to, label]) => (
          <NavLink key={to} to={to} className={classes['navLink'] ?? ''}>
            {label}
          </NavLink>
        ))}
      </Group>
      <Box hiddenFrom="sm">
        <PlacesMenu />
      </Box>
    </>
  )
}

/** A popover of the browser's own, which Escape and a press elsewhere close, and which hands the focus back. */
function PlacesMenu() {
  const id = useId()
  const close = () => document.getElementById(id)?.hidePopover()
  return (
    <>
      <ActionIcon variant="subtle" color="gray" aria-label="Places" popoverTarget={id}>
        <IconMenu2 size={18} />
      </ActionIcon>
      <nav id={id} popover="auto" aria-label="Places" className={classes['places']}>
        {[...places, ...documents].map(([to, label]) => (
          <NavLink key={to} to={to} className={classes['navLink'] ?? ''} onClick={close}>
            {label}
          </NavLink>
        ))}
      </nav>
    </>
  )
}
