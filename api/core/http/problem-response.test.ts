import { expect, test } from 'vitest'
import { givenCommit } from '../../rooms/content/testing.ts'
import { mountHub } from '../../surfaces/hub/handlers.ts'
import { hubErrorResponse } from '../../surfaces/hub/wire/errors.ts'
import { isHubPath } from '../../surfaces/hub/wire/paths.ts'
import { StoreError, type StoreErrorKind } from '../../stores/storage/index.ts'
import { FaultyBlobStore } from '../../stores/storage/testing/faulty.ts'
import { createLogger } from '../../platform/telemetry/index.ts'
import { appOf, eachDatabase, givenRepo, givenToken, givenUser, type World } from '../../testing.ts'
import { givenObject } from '../../rooms/uploads/testing.ts'
import type { App } from './env.ts'
import { nativeBase } from './surface.ts'

const kinds: [StoreErrorKind, number, string | null][] = [
  ['transient', 503, '5'],
  ['full', 507, null],
  ['missing', 500, null],
  ['corrupt', 500, null],
  ['exists', 500, null],
  ['permanent', 500, null],
]

eachDatabase('a failure of the blob store', (world) => {
  /** The same world with a log that is kept and a store whose every read fails. */
  function failing(kind: StoreErrorKind) {
    const lines: string[] = []
    const log = createLogger({ level: 'error', format: 'json', write: (line) => lines.push(line) })
    const plan = ({ operation }: { operation: string }) =>
      operation === 'read' ? ({ type: 'before', kind } as const) : undefined
    const deps = { ...world.deps, log, blobs: new FaultyBlobStore(world.blobs, plan) }
    return { lines, world: { ...world, deps } satisfies World }
  }

  test.each(kinds)(
    '%s is answered %i on the hub surface, logged, and never an absence',
    async (kind, status, retry) => {
      const ada = await givenUser(world, `ada-${kind}`)
      const repo = await givenRepo(world, ada, { name: 'm' })
      const { sha256 } = await givenObject(world, ada, repo)
      await givenCommit(world, ada, repo, [{ op: 'add-lfs', path: 'm.bin', sha256 }])
      const { secret } = await givenToken(world, ada)
      const { lines, world: broken } = failing(kind)
      const app = appOf(broken, { root: [mountHub] }, [{ owns: isHubPath, render: hubErrorResponse }])
      const answer = await app.request(`/ada-${kind}/m/resolve/main/m.bin`, {
        headers: { Authorization: `Bearer ${secret}` },
      })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('Retry-After')).toBe(retry)
      expect(answer.headers.get('X-Error-Code')).toBeNull()
      expect(await answer.text()).not.toContain('lfs/')
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain(`lfs/${sha256.slice(0, 2)}`)
    },
  )

  test.each(kinds)('%s is answered %i on the native surface and logged', async (kind, status, retry) => {
    const { lines, world: broken } = failing(kind)
    const mount = (app: App) =>
      void app.get('/broken', () => {
        throw new StoreError(kind, 'some/key', 'the reason')
      })
    const answer = await appOf(broken, { native: [mount] }).request(`${nativeBase}/broken`)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('Retry-After')).toBe(retry)
    expect(await answer.text()).not.toContain('some/key')
    expect(lines.join('')).toContain('some/key')
  })
})
