import { notifications } from '@mantine/notifications'
import { ApiProblem } from '../../shared/client.ts'
import { problemText } from './form-errors.ts'

/** Says that something worked, for a moment. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'safe', withBorder: true })
}

/** Says what failed, with the request id to quote; stays until it is closed. */
export function notifyProblem(error: unknown): void {
  const problem = error instanceof ApiProblem ? error : undefined
  const id = problem?.requestId ? ` (request ${problem.requestId})` : ''
  notifications.show({
    title: problem?.title ?? 'Something failed',
    message: problemText(error) + id,
    color: 'danger',
    withBorder: true,
    autoClose: false,
  })
}
