import classes from './ui.module.css'

interface MarkProps {
  /** A colour of the theme; an outline when left out. */
  color?: string
  title?: string
  children: string
}

/** A word that sets something apart. A plain element, since lists carry hundreds. */
export function Mark({ color, title, children }: MarkProps) {
  const filled = color && {
    background: `var(--mantine-color-${color}-light)`,
    borderColor: 'transparent',
    color: `var(--mantine-color-${color}-light-color)`,
  }
  return (
    <span className={classes['mark']} title={title} {...(filled ? { style: filled } : {})}>
      {children}
    </span>
  )
}
