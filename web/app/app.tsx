import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { onFirstNotification } from '../lib/notify.ts'
import { createQueryClient } from '../lib/query-client.ts'
import { createRouter } from './router.tsx'
import { cssVariables, theme } from './theme.ts'

const NotificationHost = lazy(() => import('./notification-host.tsx'))

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
        <RouterProvider router={router} />
        <LateNotifications />
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** Notifications cost nothing until there is one. */
function LateNotifications() {
  const [isWanted, setIsWanted] = useState(false)
  useEffect(() => onFirstNotification(() => setIsWanted(true)), [])
  return <Suspense>{isWanted && <NotificationHost />}</Suspense>
}
