import { expect, test } from 'vitest'
import { Descriptions } from './descriptions.ts'

const most = 100_000

test('a file may be made of 100 000 xorbs, and of no more', () => {
  const described = new Descriptions()
  const xorb = Buffer.alloc(32)
  const term = (number: number) => {
    xorb.writeUInt32LE(number)
    described.term({ xorb, unpacked: 8192, start: 0, end: 1 })
  }
  described.file({ hash: Buffer.alloc(32), terms: most + 2, termsOffset: 48 })
  for (let i = 0; i < most; i++) term(i)
  term(0)
  expect(() => term(most)).toThrow('names more than 100000 containers')
})
