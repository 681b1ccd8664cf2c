import { Stack, Tabs } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { CommandLine } from '../command-line.tsx'
import classes from './commands.module.css'
import { commandsOf, type Command, type Deed } from './deeds.ts'

interface CommandTabsProps {
  commands: Command[]
  label?: string
  /** Shows all of a command on several lines, where there is little room. */
  wraps?: boolean
}

/** Commands, one for each tool. The tool that was chosen last comes first on the next page. */
export function CommandTabs({ commands, label = 'Commands', wraps = false }: CommandTabsProps) {
  const [preferred, prefer] = useLocalStorage({
    key: 'command-tool',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const open = commands.some(({ id }) => id === preferred) ? preferred : (commands[0]?.id ?? null)
  return (
    <Tabs keepMounted={false} value={open} onChange={(id) => prefer(id ?? '')} w="100%" miw={0}>
      <Tabs.List mb="sm" aria-label={label} className={classes['tools'] ?? ''}>
        {commands.map(({ id, label: tool }) => (
          <Tabs.Tab key={id} value={id} px="sm" py={6} fz="sm">
            {tool}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {commands.map(({ id, label: tool, code, before }) => (
        <Tabs.Panel key={id} value={id}>
          <Stack gap="sm">
            {before && <CommandLine {...before} />}
            <CommandLine name={`${tool} command`} command={code} wraps={wraps} />
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** The commands that do something with this server, for each tool that can. */
export default function DeedCommands({ of }: { of: Deed }) {
  return <CommandTabs commands={commandsOf(of, location.origin)} />
}
