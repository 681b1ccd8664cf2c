import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import type { UserActor } from '../../core/access/index.ts'
import { givenUser, type World } from '../../testing.ts'

/** A world with an owner of datasets, at whose end `viewer/{work}` holds nothing. */
export class DatasetSite {
  owner!: UserActor
  readonly world: World

  constructor(world: World, work: string) {
    this.world = world
    beforeAll(async () => {
      this.owner = await givenUser(world, 'owner')
    })
    afterAll(async () => {
      const left = await readdir(join(world.dir, 'viewer', work)).catch(() => [])
      expect(left, 'folders of runs that have ended').toEqual([])
    })
  }
}
