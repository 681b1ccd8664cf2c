import { Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import type { Health } from './queries.ts'

export type Finding = Health['findings'][number]

/** The results of a check, the worst first. */
export const results = ['fail', 'warn', 'ok'] as const

const looks = {
  ok: { label: 'ok', icon: IconCircleCheck, color: 'var(--mantine-color-dimmed)' },
  warn: { label: 'look at it', icon: IconAlertTriangle, color: 'var(--mantine-color-caution-light-color)' },
  fail: { label: 'failed', icon: IconCircleX, color: 'var(--mantine-color-error)' },
}

/** The result of a check, as a word and a sign. */
export function FindingMark({ status }: { status: Finding['status'] }) {
  const { label, icon: Icon, color } = looks[status]
  return (
    <Group gap={6} wrap="nowrap" style={{ color }}>
      <Icon size={16} aria-hidden />
      <Text size="sm" component="span" c={status === 'ok' ? 'dimmed' : 'inherit'} fw={600}>
        {label}
      </Text>
    </Group>
  )
}

/** What came out of all checks, in a sentence. */
export function summaryOf(findings: Finding[]): string {
  const count = (status: Finding['status']) => findings.filter((one) => one.status === status).length
  const [failed, warned] = [count('fail'), count('warn')]
  return failed + warned === 0 ? 'Everything works.' : `${failed} failed, ${warned} to look at.`
}
