import { Button, Menu, Text } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { dateFormat } from '../../lib/format.ts'
import { snoozeTimes, type SnoozeTime } from './snooze-times.ts'

const formatMoment = dateFormat({ weekday: 'short', hour: 'numeric', minute: '2-digit' })

interface SnoozeMenuProps {
  /** How many notifications are chosen. */
  count: number
  isPending: boolean
  onSnooze: (until: Date) => void
}

/** Until when the chosen notifications are put away. */
export function SnoozeMenu({ count, isPending, onSnooze }: SnoozeMenuProps) {
  const [times, setTimes] = useState<SnoozeTime[]>([])
  return (
    <Menu position="bottom-end" withinPortal onOpen={() => setTimes(snoozeTimes(new Date()))}>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          disabled={count === 0}
          loading={isPending}
          rightSection={<IconChevronDown size={14} />}
        >
          {count === 0 ? 'Snooze' : `Snooze ${count}`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {times.map(({ label, until }) => (
          <Menu.Item
            key={label}
            rightSection={
              <Text span size="xs" c="dimmed" ml="lg">
                {formatMoment(until)}
              </Text>
            }
            onClick={() => onSnooze(until)}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
