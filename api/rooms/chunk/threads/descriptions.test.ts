import { expect, test } from 'vitest'
import { Descriptions } from './descriptions.ts'

const hashOf = (n: number) => Buffer.alloc(32, n)

test('each range hash is that of its term, each chunk hash that of its chunk', () => {
  const described = new Descriptions()
  described.file({ hash: hashOf(1), terms: 3, termsOffset: 48 })
  for (let i = 0; i < 3; i++) described.term({ xorb: hashOf(2), unpacked: 8192, start: i, end: i + 1 })
  for (let i = 0; i < 3; i++) described.rangeHash(hashOf(10 + i), i)
  described.fileEnd()
  described.xorb({ hash: hashOf(2), n: 3 })
  for (let i = 0; i < 3; i++) described.chunk({ hash: hashOf(20 + i), length: 8192 }, i)
  const { files, xorbs } = described.take()
  expect([0, 1, 2].map((i) => files[0]?.terms.rangeHashAt(i))).toEqual([hashOf(10), hashOf(11), hashOf(12)])
  expect(xorbs[0]?.hashes).toEqual(Buffer.concat([hashOf(20), hashOf(21), hashOf(22)]))
})

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
