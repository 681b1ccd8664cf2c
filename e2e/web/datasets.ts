import { expect, type GivenRepo, type Person } from './fixtures.ts'

interface Converted {
  status: string
  configs: { status: string; splits: { name: string; rows?: number }[] }[]
}

/** Waits for the rows of the split `train`. */
export async function whenRowsAreThere(person: Person, repo: GivenRepo, rows: number) {
  const state = () => person.native<Converted>('GET', `${repo.api}/configs`)
  await expect
    .poll(async () => (await state()).configs[0]?.splits[0], { timeout: 120_000, intervals: [1000] })
    .toMatchObject({ name: 'train', rows })
}

/** Waits for the rows and for their statistics. The viewer makes its table again until both are there. */
export async function whenConverted(person: Person, { url }: { url: string }, repo: GivenRepo, rows: number) {
  await whenRowsAreThere(person, repo, rows)
  const statistics = `/viewer-api/statistics?dataset=${repo.ns}/${repo.name}&config=default&split=train`
  await expect
    .poll(async () => (await fetch(url + statistics)).status, { timeout: 60_000, intervals: [500] })
    .toBe(200)
}
