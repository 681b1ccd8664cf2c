import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { runJobs } from '../../core/jobs/testing.ts'
import { eachDatabase, givenRepo, overtake, waysToOvertake } from '../../testing.ts'
import { givenShard } from './format/testing.ts'
import { chunkRebuild } from './rebuild-job.ts'
import { acceptedShard, givenSender, Sender } from './testing/sender.ts'

eachDatabase('a file that is put together', (world) => {
  for (const how of waysToOvertake(world))
    test(`is granted to a second repo that asks for it before the job ends (${how})`, async () => {
      const first = await givenSender(world)
      const { file } = await acceptedShard(first)
      const second = new Sender(world, first.actor, await givenRepo(world, first.actor))
      await overtake(how, {
        first: { ctx: second.ctx(), run: (ctx) => second.accept(givenShard({ files: [file] }), ctx) },
        late: { ctx: world.ctx(), run: (ctx) => runJobs(ctx, [chunkRebuild]) },
        lock: /^insert into "chunk_rebuild_claims"/,
      })
      const { lfs_grants: g } = world.db.t
      const sha256 = file.sha256.toString('hex')
      for (const { repo } of [first, second])
        expect(await world.db.q.$count(g, and(eq(g.repo_id, repo.id), eq(g.sha256, sha256)))).toBe(1)
    })
})
