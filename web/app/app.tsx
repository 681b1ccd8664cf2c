import type { QueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { RouterProvider } from 'react-router/dom'
import { onFirstNotification } from '../lib/notify.ts'
import { late } from '../ui/late.tsx'
import { Providers } from './providers.tsx'
import type { createRouter } from './router.tsx'
import { removeFirstView } from './taken-over.ts'

const NotificationHost = late(() => import('./notification-host.tsx'))

interface AppProps {
  queryClient: QueryClient
  router: ReturnType<typeof createRouter>
}

/** The page: theme, cache of answers and router. */
export function App({ queryClient, router }: AppProps) {
  useLayoutEffect(removeFirstView, [])
  return (
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
      <LateNotifications />
    </Providers>
  )
}

/** Notifications cost nothing until there is one. */
function LateNotifications() {
  const [isWanted, setIsWanted] = useState(false)
  useEffect(() => onFirstNotification(() => setIsWanted(true)), [])
  return <Suspense>{isWanted && <NotificationHost />}</Suspense>
}
