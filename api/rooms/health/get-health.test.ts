import { expect, test } from 'vitest'
import { observedStore } from '../../stores/storage/index.ts'
import { eachDatabase, givenUser } from '../../testing.ts'
import { getHealth } from './get-health.ts'

eachDatabase('the health of the server', (world) => {
  test('is checked once for those who ask at the same time or soon after, however long it takes', async () => {
    const actor = await givenUser(world, 'ops', { isAdmin: true })
    let runs = 0
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const store = observedStore(world.blobs, {
      async observe(operation, act) {
        if (operation.name === 'blob.read') runs++
        await held
        return act()
      },
    })
    const ask = () => getHealth({ ...world.ctx(actor), blobs: store })
    const pass = (ms: number) => (world.clock.now = new Date(world.clock.now.getTime() + ms))

    const asked = [ask(), ask()]
    pass(20_000)
    asked.push(ask())
    release()
    const answers = await Promise.all(asked)
    expect(answers.map((answer) => answer === answers[0])).toEqual([true, true, true])
    expect(runs).toBe(1)

    pass(9000)
    expect(await ask()).toBe(answers[0])
    expect(runs).toBe(1)

    pass(2000)
    const later = await ask()
    expect(runs).toBe(2)
    // The page shows it as the age of the answer.
    expect(later.at.getTime() - (answers[0]?.at.getTime() ?? 0)).toBe(31_000)
  })
})
