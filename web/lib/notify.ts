import type { NotificationData } from '@mantine/notifications'
import { ApiProblem } from '../../shared/client.ts'
import { problemText } from './form-errors.ts'

/** Says that something worked, for a moment. */
export function notifyDone(message: string): void {
  show({ message, color: 'safe', withBorder: true })
}

/** Says what failed, with the request id to quote; stays until it is closed. */
export function notifyProblem(error: unknown): void {
  const problem = error instanceof ApiProblem ? error : undefined
  const id = problem?.requestId ? ` (request ${problem.requestId})` : ''
  show({
    title: problem?.title ?? 'Something failed',
    message: problemText(error) + id,
    color: 'danger',
    withBorder: true,
    autoClose: false,
  })
}

/** The notifications are fetched with the first of them; what is shown before they stand waits in their store. */
function show(data: NotificationData): void {
  import('@mantine/notifications').then(
    ({ notifications }) => {
      wanted.forEach((listener) => listener())
      wanted.clear()
      notifications.show({ closeButtonProps: { 'aria-label': 'Close' }, ...data })
    },
    // Gone after an update of the server: better said plainly than not at all.
    () => window.alert([data.title, data.message].filter(Boolean).join('\n')),
  )
}

const wanted = new Set<() => void>()

/** Calls `listener` when the first notification is about to be shown. */
export function onFirstNotification(listener: () => void): () => void {
  wanted.add(listener)
  return () => wanted.delete(listener)
}
