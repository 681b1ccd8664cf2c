import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { TarCut, TarFault, tarMembers } from './tar.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

/** A header of ustar with its checksum, and the content behind it in whole blocks. */
function member(name: string, content: string, { type = '0', size = '' } = {}): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(size || `${Buffer.byteLength(content).toString(8).padStart(11, '0')}\0`, 124, 'latin1')
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  header.write('ustar\0', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512)
  body.write(content)
  return Buffer.concat([header, body])
}

async function read(archive: Buffer): Promise<[string, string][]> {
  const folder = await mkdtemp(join(tmpdir(), 'arsenal-tar-'))
  folders.push(folder)
  await writeFile(join(folder, 'x.tar'), archive)
  const file = await open(join(folder, 'x.tar'), 'r')
  try {
    const found: [string, string][] = []
    for await (const { name, bytes } of tarMembers(file)) found.push([name, bytes.toString()])
    return found
  } finally {
    await file.close()
  }
}

test('files come in their order, folders and links are left out', async () => {
  const archive = [member('a/', '', { type: '5' }), member('a/1.txt', 'one'), member('l', '', { type: '2' })]
  const end = Buffer.alloc(1024)
  expect(await read(Buffer.concat([...archive, member('2.txt', ''), end, member('3.txt', 'x')]))).toEqual([
    ['a/1.txt', 'one'],
    ['2.txt', ''],
  ])
})

test('long names come from the members before', async () => {
  const long = `${'x'.repeat(150)}.txt`
  expect(
    await read(Buffer.concat([member('././@LongLink', `${long}\0`, { type: 'L' }), member('y', 'a')])),
  ).toEqual([[long, 'a']])
  const pax = `${(long.length + 9).toString()} path=${long}\n`
  expect(await read(Buffer.concat([member('pax', pax, { type: 'x' }), member('y', 'b')]))).toEqual([
    [long, 'b'],
  ])
})

test('an archive that ends within a member is cut', async () => {
  await expect(read(member('a.txt', 'x'.repeat(600)).subarray(0, 800))).rejects.toThrow(TarCut)
  await expect(read(member('a.txt', '').subarray(0, 100))).rejects.toThrow(TarCut)
})

test.each([
  ['a checksum that is wrong', member('a.txt', 'x').fill('b', 0, 1)],
  ['a size beyond all bounds', member('a.txt', '', { size: '77777777777\0' })],
  ['a binary size beyond all bounds', member('a.txt', '', { size: `\u00ff${'\u00ff'.repeat(11)}` })],
])('%s is refused', async (_, archive) => {
  await expect(read(archive)).rejects.toThrow(TarFault)
})
