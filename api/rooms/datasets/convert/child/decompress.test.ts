import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { bounded, unfolded } from './decompress.ts'
import { zipMembers } from './zip-members.ts'

/** Bytes that Python's own modules make. */
const python = (expression: string) =>
  execFileSync('python3', ['-c', `import bz2,lzma,sys\nsys.stdout.buffer.write(${expression})`], {
    maxBuffer: 2 ** 28,
  })
const text = "b''.join(b'%d,x%d\\n' % (i, i * i) for i in range(70000))"

async function read(packed: Buffer, suffix: 'bz2' | 'xz', chunkBytes: number): Promise<Buffer> {
  const chunks = Array.from({ length: Math.ceil(packed.length / chunkBytes) }, (_, i) =>
    packed.subarray(i * chunkBytes, (i + 1) * chunkBytes),
  )
  const parts: Buffer[] = []
  for await (const part of unfolded(Readable.from(chunks), suffix, `a.${suffix}`, packed.length))
    parts.push(part)
  return Buffer.concat(parts)
}

const packers = [
  ['bz2', 'bz2.compress'],
  ['xz', 'lzma.compress'],
] as const

test.each(packers)(
  '%s is what Python reads, however it comes and in several streams',
  async (suffix, pack) => {
    const plain = python(text)
    const one = python(`${pack}(${text})`)
    expect((await read(one, suffix, 1 << 20)).equals(plain)).toBe(true)
    expect((await read(one, suffix, 9000)).equals(plain)).toBe(true)
    const two = python(`${pack}(${text}) + ${pack}(b'end')`)
    expect((await read(two, suffix, 5000)).equals(Buffer.concat([plain, Buffer.from('end')]))).toBe(true)
    expect(await read(python(`${pack}(b'')`), suffix, 1000)).toEqual(Buffer.alloc(0))
  },
)

test.each(packers)('%s that is cut, damaged or no such file is an error', async (suffix, pack) => {
  const packed = python(`${pack}(${text})`)
  await expect(read(packed.subarray(0, -5000), suffix, 1000)).rejects.toThrow()
  const damaged = Buffer.from(packed)
  damaged[3000] = (damaged[3000] ?? 0) ^ 1
  await expect(read(damaged, suffix, 1000)).rejects.toThrow()
  await expect(read(Buffer.from('a,b\n1,2\n'.repeat(100)), suffix, 1000)).rejects.toThrow()
})

test.each(packers)(
  '%s that unfolds to far more than honest data stops',
  async (suffix, pack) => {
    const bomb = python(`${pack}(bytes(64_000_000))`)
    let bytes = 0
    const reading = (async () => {
      for await (const part of unfolded(Readable.from([bomb]), suffix, `a.${suffix}`, bomb.length, 2 ** 24))
        bytes += part.length
    })()
    await expect(reading).rejects.toThrow('more than 200 times its size')
    expect(bytes).toBeLessThanOrEqual(2 ** 24)
  },
  120_000,
)

test('a member of a zip file that unfolds to far more than honest data stops', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'arsenal-zip-'))
  try {
    const path = join(folder, 'a.zip')
    const make = `import zipfile\nwith zipfile.ZipFile(${JSON.stringify(path)}, 'w', zipfile.ZIP_DEFLATED) as f: f.writestr('a.txt', bytes(64_000_000))`
    execFileSync('python3', ['-c', make])
    const [member] = zipMembers({ name: 'a.zip', path })
    if (!member) expect.fail('no member')
    let bytes = 0
    const reading = (async () => {
      for await (const part of bounded(member.open(), member.name, member.packedBytes, 2 ** 24))
        bytes += part.length
    })()
    await expect(reading).rejects.toThrow('more than 200 times its size')
    expect(bytes).toBeLessThanOrEqual(2 ** 24)
  } finally {
    await rm(folder, { recursive: true })
  }
})
