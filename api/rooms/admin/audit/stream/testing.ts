import { beforeAll } from 'vitest'
import type { UserActor } from '../../../../core/access/index.ts'
import { audit } from '../../../../core/events/index.ts'
import { runJobs } from '../../../../core/jobs/testing.ts'
import type { World } from '../../../../testing.ts'
import { useReceiver, type Received } from '../../../webhooks/testing.ts'
import { setStream, type StreamSettings } from './settings.ts'
import { auditStream } from './stream-job.ts'
import { wakeStream } from './wake-stream.ts'

/** A real server that takes the audit log, and what came of it there. */
export function givenCollector(world: World) {
  const receiver = useReceiver(world)
  beforeAll(() => {
    const { security } = world.deps.config
    security.outbound_allow = [...security.outbound_allow, 'audit=127.0.0.1']
  })
  return receiver
}

/** The lines of a message. */
export const linesOf = ({ body }: Pick<Received, 'body'>) =>
  body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { action: string; target: { id: string }; seal?: { seq: number } })

/** Ids of what the rows of messages were done to, in the order in which they arrived. */
export const targetsOf = (messages: readonly Received[]) =>
  messages.flatMap((message) => linesOf(message).map(({ target }) => target.id))

/** Writes a row of the audit for each id. */
export async function record(world: World, ids: readonly string[], after?: Record<string, unknown>) {
  await world.db.write(async (tx) => {
    for (const id of ids)
      await audit(tx, world.ctx(), {
        action: 'repo.create',
        target: { type: 'repo', id, name: id },
        ...(after && { after }),
      })
  })
}

/** Sets the stream as an admin. */
export const set = (world: World, admin: UserActor, settings: StreamSettings) =>
  setStream(world.ctx(admin), settings)

/** What a worker does once it looks: sends what is due by the world's clock. */
export async function sendDue(world: World): Promise<void> {
  await wakeStream(world.deps)
  await runJobs(world.deps, [auditStream()])
}
