import { expect, test } from 'vitest'
import { newId } from '../../stores/db/index.ts'
import { eachDatabase, givenToken, givenUser } from '../../testing.ts'
import { listAllTokens } from './list-all-tokens.ts'

eachDatabase('the list of all tokens', (world) => {
  test('goes on after a full page, newest first, without digests, for one user or all', async () => {
    const [ada, bob] = [await givenUser(world, 'ada'), await givenUser(world, 'bob')]
    await givenToken(world, bob, { name: 'of bob' })
    const { q, t } = world.db
    const [model] = await q.select().from(t.tokens)
    const ids = Array.from({ length: 1001 }, () => newId())
    await world.db.write(async (tx) => {
      for (let at = 0; at < ids.length; at += 50)
        await tx.q
          .insert(tx.t.tokens)
          .values(
            ids.slice(at, at + 50).map((id) => ({ ...model!, id, user_id: ada.id, name: id, digest: id })),
          )
    })
    const pages = async (userId?: string) => {
      const found = []
      for await (const page of listAllTokens(world.db, userId)) found.push(page)
      return found
    }
    const ofAda = await pages(ada.id)
    expect(ofAda.map((page) => page.length)).toEqual([500, 500, 1])
    expect(ofAda.flat().map(({ id }) => id)).toEqual(ids.toSorted().toReversed())
    expect(ofAda.flat().every((token) => token.username === 'ada' && !('digest' in token))).toBe(true)
    expect((await pages()).flat()).toHaveLength(1002)
    expect((await pages(bob.id)).flat().map(({ name, username }) => [name, username])).toEqual([
      ['of bob', 'bob'],
    ])
  })
})
