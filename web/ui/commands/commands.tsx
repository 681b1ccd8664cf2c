import { Box, Skeleton, Text } from '@mantine/core'
import { Suspense } from 'react'
import { late } from '../late.tsx'
import type { Deed } from './deeds.ts'

const DeedCommands = late(() => import('./command-tabs.tsx'))

interface CommandsProps {
  of: Deed
  label?: string
}

/** How to do it from a terminal or a program: always with this server's address, so that no token goes elsewhere. */
export function Commands({ of, label }: CommandsProps) {
  return (
    <Box w="100%" maw={640} ta="start">
      {label && (
        <Text size="sm" c="dimmed" mb={4}>
          {label}
        </Text>
      )}
      <Suspense fallback={<Skeleton height={104} />}>
        <DeedCommands of={of} />
      </Suspense>
    </Box>
  )
}
