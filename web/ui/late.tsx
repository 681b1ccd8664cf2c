import { Alert, Button, Group, Text } from '@mantine/core'
import { createContext, lazy, useContext, useEffect, useState, type ComponentType } from 'react'
import classes from './ui.module.css'

const Again = createContext(() => {})

/**
 * A component whose code is fetched when it is first shown. Where that fails, as it does for good once the server has been
 * updated, `Instead` stands for it, which says so and tries again when asked: what stands around it, a half-written text
 * above all, stays. Wherever the component is shown next, its code is asked for again.
 */
export function late<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  Instead: ComponentType<P> = Missing,
) {
  let hasFailed = false
  const attempt = (): ComponentType<P> => {
    hasFailed = false
    return lazy(() =>
      load().catch(() => {
        hasFailed = true
        return { default: Instead }
      }),
    )
  }
  let now = attempt()
  return function Late(props: P) {
    const [Now, setNow] = useState(() => now)
    const again = () => {
      now = attempt()
      setNow(() => now)
    }
    const leave = () => {
      if (hasFailed) now = attempt()
    }
    useEffect(() => leave, [])
    return (
      <Again value={again}>
        <Now {...props} />
      </Again>
    )
  }
}

/** Stands for what could not be fetched; it is closed where that could have been. */
function Missing(props: object) {
  const again = useContext(Again)
  const close = 'onClose' in props && typeof props.onClose === 'function' ? props.onClose : undefined
  return (
    <Alert
      className={classes['missing'] ?? ''}
      color="danger"
      title="A part of this page could not be fetched"
    >
      <Text size="sm">
        The server may be out of reach, or have been updated since you came: then load the page again. Copy
        what you have written first.
      </Text>
      <Group gap="xs" mt="xs">
        <Button size="xs" variant="default" onClick={again}>
          Try again
        </Button>
        {close && (
          <Button size="xs" variant="default" onClick={() => void close()}>
            Close
          </Button>
        )}
      </Group>
    </Alert>
  )
}
