import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { cssVariables, theme } from './theme.ts'

/** What stands around every page: theme and cache of answers. */
export function Providers({ queryClient, children }: { queryClient: QueryClient; children: ReactNode }) {
  const [schemes] = useState(() => localStorageColorSchemeManager({ key: 'arsenal-scheme' }))
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </MantineProvider>
  )
}
