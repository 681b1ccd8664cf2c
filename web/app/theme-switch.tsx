import { ActionIcon, Menu, Tooltip, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

const choices = [
  ['auto', 'System', IconDeviceDesktop],
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
] as const satisfies readonly (readonly [MantineColorScheme, string, unknown])[]

/** Follows the system until one theme is chosen. */
export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Current = choices.find(([value]) => value === colorScheme)?.[2] ?? IconDeviceDesktop
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Tooltip label="Theme">
          <ActionIcon variant="subtle" color="gray" aria-label="Theme">
            <Current size={18} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(([value, label, Icon]) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={14} />}
            aria-current={value === colorScheme}
            fw={value === colorScheme ? 600 : 400}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
