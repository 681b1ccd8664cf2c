import { expect, test } from 'vitest'
import { Rate } from './rate.ts'

test('only the last seconds count', () => {
  const rate = new Rate()
  rate.mark(0, 0)
  rate.mark(1000, 1000)
  expect(rate.perSecond()).toBe(1000)
  for (let second = 2; second <= 12; second++) rate.mark(second * 1000, 1000 + (second - 1) * 50)
  expect(rate.perSecond()).toBe(50)
})

test('one mark tells no rate', () => {
  const rate = new Rate()
  rate.mark(5, 10)
  expect(rate.perSecond()).toBe(0)
})
