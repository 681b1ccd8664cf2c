import { expect, test } from 'vitest'
import { eachDatabase, givenUser } from '../../../testing.ts'
import { givenContent } from '../../../core/lfs/testing.ts'
import { findUpload } from '../queries.ts'
import { reopenAbandoned } from './reopen.ts'
import { givenRepo, givenUpload } from '../testing.ts'

eachDatabase('a completion whose server died', (world) => {
  test('is open again after the next start where no other server can be at it', async () => {
    const ada = await givenUser(world, 'ada')
    const repo = await givenRepo(world, ada, 'tiny')
    const lease_until = new Date(world.clock.now.getTime() + 60_000)
    const died = await givenUpload(world, repo, ada, givenContent(), { status: 'joining', lease_until })
    const done = await givenUpload(world, repo, ada, givenContent(), { status: 'complete' })
    const verified = await givenUpload(world, repo, ada, givenContent(), {
      status: 'verifying',
      job_id: 'job',
    })
    await reopenAbandoned(world.db)
    const isAlone = world.db.engine === 'sqlite'
    expect((await findUpload(world.db, died.id))?.status).toBe(isAlone ? 'open' : 'joining')
    expect((await findUpload(world.db, done.id))?.status).toBe('complete')
    expect((await findUpload(world.db, verified.id))?.status).toBe('verifying')
  })
})
