import { expect, test } from 'vitest'
import { Problem } from '../../../platform/problems/index.ts'
import { refuseFull } from './quota.ts'
import { Verdicts } from './verdicts.ts'

const zero = '0'.repeat(40)
const verdicts = () => new Verdicts([{ ref: 'refs/heads/main', old: zero, new: '1'.repeat(40) }], false)

test('a push beyond the quota is refused as a whole, with what is full', () => {
  const pushed = verdicts()
  refuseFull(pushed, new Problem('quota-exceeded', { detail: 'The repo is full.' }))
  expect(pushed.report()).toMatchObject({
    refs: [{ ref: 'refs/heads/main', refusal: 'quota exceeded' }],
    messages: ['arsenal: push rejected, The repo is full.'],
  })
})

test.each([new Problem('forbidden'), new Error('the disk is gone')])(
  '%s refuses nothing and is an error',
  (error) => {
    const pushed = verdicts()
    expect(() => refuseFull(pushed, error)).toThrow(error)
    expect(pushed.refused).toEqual([])
  },
)
