import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

const choices = {
  auto: { next: 'light', label: 'Theme: as the system', Icon: IconDeviceDesktop },
  light: { next: 'dark', label: 'Theme: light', Icon: IconSun },
  dark: { next: 'auto', label: 'Theme: dark', Icon: IconMoon },
} as const

/** Follows the system until one theme is chosen; each press selects the next. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { next, label, Icon } = choices[colorScheme]
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(next)}
    >
      <Icon size={18} />
    </ActionIcon>
  )
}
