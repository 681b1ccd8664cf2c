import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from '../lib/query-client.ts'
import { createRouter } from './router.tsx'
import { cssVariables, theme } from './theme.ts'

/** The page: theme, cache of answers and router. */
export function App() {
  const [queryClient] = useState(createQueryClient)
  const [router] = useState(createRouter)
  const [schemes] = useState(() => localStorageColorSchemeManager({ key: 'arsenal-scheme' }))
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={schemes}
      defaultColorScheme="auto"
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" limit={4} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
