import { fileHash, xorbHash } from '@huggingface/xetchunk-wasm'
import { describe, expect, test } from 'vitest'
import { chunkHash, fileHashOf, hashRaw, hashText } from './hash.ts'
import { KeyedHash } from './keyed-hash.ts'
import { Random, seededHash } from './testing.ts'
import { HashTree } from './tree.ts'

interface Node {
  hash: Uint8Array
  length: number
}

const range = (n: number) => Array.from({ length: n }, (_, i) => i)

/**
 * The published trees of xet-core (`merklehash/aggregated_hashes.rs`): nodes by their seeds, the root, the file hash. A node
 * of seed s weighs 100 s bytes and has the hash of that seed, or zeros for 0. The list of one zero hash is left out: no chunk
 * has it, and its root is that of the empty list.
 */
const published: [seeds: number[], tree: string, file: string][] = [
  [[], '0'.repeat(64), '0'.repeat(64)],
  [
    [1],
    'cfc5d07f6f03c29bbf424132963fe08d19a37d5757aaf520bf08119f05cd56d6',
    '8e16257caa3fe079d484d872a8975264b2ff683b0d6db9028cc7c0f968a45661',
  ],
  [
    [1, 2, 3],
    '71ec1275fca074724e2dd666921b3277c7cee603e4d025bcab2d4050015be2bc',
    '54e55dccc6653c612bdb5576c5d3cb34bb31bc4e100248abccf4c908b3ef7715',
  ],
  [
    [1, 1, 1, 1],
    '89f2ada89ff8c96763c6b25010e6dd76a4c05b1466207633ea559acf2093211b',
    '2cdba690d0e09563596e0cda626d43eb4c96ef1e994fe72d9b2f5a83cfcd36dd',
  ],
  [
    [1, 2, 1, 2],
    '90f8313ef12df385d237a067aded02562c35ded12116e32eba401dbc86c38031',
    '284ea045e5a579e99c21ec597c20de1fc0c09e7168162aac00db8f61b3d82dbb',
  ],
  [
    [1, 2, 1, 2, 3, 4],
    '52c826f99507aa05d0b45e9837fa1709e0485425cfbcb1e80db3905cf98b3ee9',
    '91d21684db364c8883ab8209fa5eb2e781cf07f37e1fa43e731c30839afe422f',
  ],
  [
    [0, 1, 0, 1],
    'e1755c85be07fd6b7a8d7becc85e6d8c5f507f2a3d38b316bcb6f97855e72188',
    '207caf24fce045ac6d873b4c6186a5a435d600d103e1ae345e55ddf1f4b7f7ef',
  ],
  [
    [0, 1, 0, 1, 0],
    'f36c6a6374a567efd36ed087aeb680b57e3af4e0b5b8e7be2593df4cb647a2de',
    'ab2f46d31855e1133b3b5b70e78f841394a648710a208923b221c1a8a0572a1f',
  ],
  [
    [1, 0],
    'e8660f81494ca836a58e395c1395ef97870ed71e2b113eec1fab6b3361f46dd6',
    '274d92f7e2acebaa2b8d63c0b5e7a4fc15814a606e3e3825d55609e671bcc5d9',
  ],
  [
    [3, 4, 5, 3],
    '73b9dc802ab03a0855c66823a18d95c2a785af594535756abf405038b6270cb8',
    'c7d5be75ef5ec12888027ad305141e4109e599494477661177475c84e12de48b',
  ],
  [
    [3, 4, 5, 5, 5],
    '2c1fd1eca47e284512fcb40fcf45a1874939f9b91c774d46aeba5d004d9d263d',
    '0799ba7ee2c3fed173a8e8d832cd13970ddc16070ffbc8aa6dcd77476f66dc73',
  ],
  [
    range(8),
    'f62abe77e3fb9c954fe52b0028027ddc90c064c45951a4fd2211d87e5c0011db',
    'd1b068be5bbdb38992269e8efe61f601881e39f7a7585fd76883cc6ea5c23b44',
  ],
  [
    range(64).map((i) => i % 8),
    '6554007c9b5d0a5e7918f79596a1b68815c1407535585435f5735db761f21b88',
    'a8640ab81d48854e00078e12b1ea8be5d90be0ffb5f73a15b7009981d093ddd8',
  ],
  [
    range(32).map(() => 1),
    '0a0123c1617921883b7e13902095fcb86676e77c49120c33b233003b0af0e0a6',
    '53af4711fd1d5e5bdc7f931b6be932314d8d673cb16ad2482f6f5222eaf9e63d',
  ],
  [
    [...range(8), 1, 1, 1, 1],
    'e7fc30b73ec9930593f80fe777b334e9d3bb73e45e6a79fa5784b2603446158b',
    '69e1af2fd6023ce133e0d1b90e32d1d42ef79f5a710f2b0accfc3a735e98de9d',
  ],
  [
    range(8).flatMap((i) => [i, i]),
    '636c65db520ec16e8166f9ec7a0cf9f74b26369077ac60160ec0221c86bc9f77',
    '6a90ad0d6f5246ac61f1de898c6944c03e14004a1368e6fb23387108c4d039e0',
  ],
  [
    range(100).map((i) => 2 ** 33 + i),
    'c51247b5782028a5b8fd8191c855e46c02ba5923ceeed828b167614d47fb6686',
    '4bacfd61a7f5401a3a55770234bf6ab0ce9a44446d81e9ce9977220fb9022406',
  ],
]

describe('the tree hash', () => {
  test.each(published)('of the published nodes %j', (seeds, tree, file) => {
    const nodes = seeds.map((seed) => ({
      hash: seed === 0 ? Buffer.alloc(32) : seededHash(seed),
      length: 100 * seed,
    }))
    expect(hashText(rootOf(nodes))).toBe(tree)
    expect(hashText(fileHashOf(rootOf(nodes)))).toBe(file)
  })

  test('of small published files', () => {
    const zeros = { hash: chunkHash(Buffer.alloc(131_072)), length: 131_072 }
    const letters = [...'abcdefghij'].map((letter) => ({ hash: chunkHash(Buffer.from(letter)), length: 1 }))
    const dozen = rootOf(Array.from({ length: 12 }, () => zeros))
    expect(hashText(dozen)).toBe('455b93d64c50ae02b458a13090484158db5bf2e8b03e235479d8453adf81476d')
    expect(hashText(fileHashOf(dozen))).toBe(
      '774ec8592e1086154f72efe925210b929aa06bb9f5037d3a7c5435716d10180d',
    )
    const pair = rootOf(letters.slice(0, 2))
    expect(hashText(pair)).toBe('ded050f282247a53bae90e1cfabaa3925af9a6bad275c69ae5c5182d09055ba2')
    expect(hashText(fileHashOf(pair))).toBe(
      'fe143dc9c28bac39ad036f0d97aaeb52ad89e2808d40ff1ae4d025ec375b8e39',
    )
    expect(hashText(rootOf(letters))).toBe('7e477a995cf9414f913f0ef61d9a795c4458e5e2e2b01926f0353bcf804d04b1')
  })

  test('of one chunk is the hash of the chunk', () => {
    const one = { hash: seededHash(7), length: 5 }
    expect(rootOf([one])).toEqual(one.hash)
  })

  // 0 and 1 of 4 make the last u64 divide by four always and never: groups of three, and of nine.
  test.each([
    ['as they come', undefined],
    ['that end every group', 0],
    ['that end no group', 1],
  ])('agrees with the specification and the JavaScript client on lists of hashes %s', (_, remainder) => {
    const random = new Random(remainder ?? 9)
    for (const n of [...range(100), 243, 729, 730, 731, 1000]) {
      const nodes = range(n).map(() => ({
        hash: hashWith(random, remainder),
        length: 1 + random.below(131_072),
      }))
      const root = rootOf(nodes)
      expect(root, `${n} nodes`).toEqual(rootBySpecification(nodes))
      expect(root, `${n} nodes`).toEqual(Buffer.from(xorbHash(nodes)))
      expect(fileHashOf(root), `${n} nodes`).toEqual(Buffer.from(fileHash(nodes)))
    }
  })

  test('counts lengths exactly up to 2^53', () => {
    const random = new Random(3)
    for (const length of [0, 9, 10, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 10 ** 15 - 1, 10 ** 15, 2 ** 53 - 2]) {
      const nodes = [0, length].map((size) => ({ hash: random.bytes(32), length: size }))
      expect(rootOf(nodes)).toEqual(rootBySpecification(nodes))
    }
  })

  test('one tree serves list after list', () => {
    const tree = new HashTree()
    const nodes = range(200).map((seed) => ({ hash: seededHash(seed + 1), length: seed }))
    for (const n of [200, 0, 1, 2, 199, 9]) {
      for (const { hash, length } of nodes.slice(0, n)) tree.add(hash, length)
      expect(tree.root()).toEqual(rootBySpecification(nodes.slice(0, n)))
    }
  })

  test('a hash is taken when it is added, not later', () => {
    const hash = hashRaw('a'.repeat(64))
    const tree = new HashTree()
    tree.add(hash, 1)
    const alone = Buffer.from(hash)
    hash.fill(0)
    expect(tree.root()).toEqual(alone)
  })
})

function rootOf(nodes: Node[]): Buffer {
  const tree = new HashTree()
  for (const { hash, length } of nodes) tree.add(hash, length)
  return tree.root()
}

/** The rules of chunk-upload.md §6, word by word. */
function rootBySpecification(nodes: Node[]): Buffer {
  let list = nodes
  while (list.length > 1) {
    const next: Node[] = []
    for (let rest = list; rest.length > 0;) {
      const size = groupSize(rest)
      next.push(joined(rest.slice(0, size)))
      rest = rest.slice(size)
    }
    list = next
  }
  return Buffer.from(list[0]?.hash ?? Buffer.alloc(32))
}

function groupSize(rest: Node[]): number {
  if (rest.length <= 2) return rest.length
  const end = Math.min(9, rest.length)
  for (let i = 2; i < end; i++) if (Buffer.from(rest[i]!.hash).readBigUInt64LE(24) % 4n === 0n) return i + 1
  return end
}

function joined(group: Node[]): Node {
  const hasher = new KeyedHash('node')
  hasher.add(Buffer.from(group.map(({ hash, length }) => `${hashText(hash)} : ${length}\n`).join('')))
  return { hash: hasher.digest(), length: group.reduce((sum, { length }) => sum + length, 0) }
}

function hashWith(random: Random, remainder: number | undefined): Buffer {
  const hash = random.bytes(32)
  if (remainder !== undefined) hash[24] = (hash[24]! & 0xfc) | remainder
  return hash
}
