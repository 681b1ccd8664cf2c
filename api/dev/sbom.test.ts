import { expect, test } from 'vitest'

interface Licence {
  name: string
  isAllowed: boolean
}
const { licencesOf, makeSbom } = (await import(new URL('sbom.mjs', import.meta.url).href)) as {
  makeSbom(): Promise<object>
  licencesOf(sbom: object): Licence[]
}

test('every package of the product is listed with a licence that allows to hand it on', async () => {
  const sbom = await makeSbom()
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) })
  const licences = licencesOf(sbom)
  const names = licences.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['hono', 'drizzle-orm', 'react', '@aws-sdk/client-s3']))
  expect(names).not.toContain('vitest')
  expect(licences.filter(({ isAllowed }) => !isAllowed)).toEqual([])
})
