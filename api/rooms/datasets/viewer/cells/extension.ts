/** First bytes of the formats that browsers show from us; everything else is a download. */
const magics: [string, (head: Buffer) => boolean][] = [
  ['png', (head) => head.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n'],
  ['jpg', (head) => head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff],
  ['gif', (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6))],
  ['webp', (head) => isRiff(head, 'WEBP')],
  ['wav', (head) => isRiff(head, 'WAVE')],
  ['avif', (head) => /^....ftypavi[fs]/s.test(head.toString('latin1', 0, 12))],
  ['mp4', (head) => /^....ftyp(isom|iso\d|mp4\d|avc1|M4V |dash)/s.test(head.toString('latin1', 0, 12))],
  ['bmp', (head) => head.toString('latin1', 0, 2) === 'BM' && head.length > 26],
  ['flac', (head) => head.toString('latin1', 0, 4) === 'fLaC'],
  ['ogg', (head) => head.toString('latin1', 0, 4) === 'OggS'],
  ['mp3', (head) => head.toString('latin1', 0, 3) === 'ID3' || isMpegFrame(head)],
  ['webm', (head) => head.readUInt32BE(0) === 0x1a45dfa3],
  ['pdf', (head) => head.toString('latin1', 0, 5) === '%PDF-'],
]

const isRiff = (head: Buffer, form: string) =>
  head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === form
const isMpegFrame = (head: Buffer) => head[0] === 0xff && [0xfb, 0xf3, 0xf2, 0xfa].includes(head[1] ?? 0)

/** What bytes are, by how they begin: an extension of the allow-list, else `bin`. */
export function extensionOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 64))
  if (head.length < 12) return 'bin'
  return magics.find(([, matches]) => matches(head))?.[0] ?? 'bin'
}
