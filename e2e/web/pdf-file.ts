import { createHash } from 'node:crypto'

/** What PDF fills a password up to 32 bytes with (ISO 32000-1, 7.6.3.3). */
const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const md5 = (...parts: Uint8Array[]) => createHash('md5').update(Buffer.concat(parts)).digest()

/** Node's OpenSSL has no RC4 any more. */
function rc4(key: Uint8Array, bytes: Uint8Array): Buffer {
  const box = Uint8Array.from({ length: 256 }, (_, i) => i)
  const at = (i: number) => box[i & 255] ?? 0
  const swap = (i: number, j: number) => ([box[i], box[j]] = [at(j), at(i)])
  for (let i = 0, j = 0; i < 256; i++) swap(i, (j = (j + at(i) + (key[i % key.length] ?? 0)) & 255))
  let [i, j] = [0, 0]
  return Buffer.from(
    bytes.map((byte) => {
      i = (i + 1) & 255
      j = (j + at(i)) & 255
      swap(i, j)
      return byte ^ at(at(i) + at(j))
    }),
  )
}

interface PdfOptions {
  /** Opens it; the 40-bit security of PDF 1.1 (ISO 32000-1, 7.6, revision 2). */
  password?: string
  /** Run by programs that run scripts, when they open it. */
  script?: string
}

/** A PDF with a page for each text, in Helvetica, which it does not bring along. */
export function pdfFile(texts: string[], { password, script }: PdfOptions = {}): Buffer {
  const id = md5(Buffer.from(texts.join()))
  const padded = Buffer.concat([Buffer.from(password ?? ''), padding]).subarray(0, 32)
  const permissions = Buffer.alloc(4, 0xff)
  const owner = rc4(md5(padded).subarray(0, 5), padded)
  const key = md5(padded, owner, permissions, id).subarray(0, 5)
  const sealed = (number: number, bytes: Buffer) =>
    password === undefined ? bytes : rc4(md5(key, Buffer.from([number, 0, 0, 0, 0])).subarray(0, 10), bytes)
  const hex = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString('hex')}>`

  const pageOf = (i: number) => 4 + 2 * i
  const action =
    script === undefined ? '' : `/OpenAction << /S /JavaScript /JS ${hex(sealed(1, Buffer.from(script)))} >>`
  const objects: (string | Buffer)[] = [
    `<< /Type /Catalog /Pages 2 0 R ${action} >>`,
    `<< /Type /Pages /Count ${texts.length} /Kids [${texts.map((_, i) => `${pageOf(i)} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  for (const [i, text] of texts.entries()) {
    const number = pageOf(i) + 1
    const drawing = sealed(number, Buffer.from(`BT /F 36 Tf 72 700 Td (${text}) Tj ET`))
    const resources = '/Resources << /Font << /F 3 0 R >> >>'
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${resources} /Contents ${number} 0 R >>`,
      Buffer.concat([
        Buffer.from(`<< /Length ${drawing.length} >>\nstream\n`),
        drawing,
        Buffer.from('\nendstream'),
      ]),
    )
  }
  const encryption = `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${hex(owner)} /U ${hex(rc4(key, padding))} /P -1 >>`
  const trailer = `/Root 1 0 R /ID [${hex(id)} ${hex(id)}] ${password === undefined ? '' : encryption}`
  return assembled(objects, trailer)
}

/** Objects from 1 on, the table of where they begin, and the trailer. */
function assembled(objects: (string | Buffer)[], trailer: string): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n')]
  const starts: number[] = []
  const length = () => parts.reduce((sum, part) => sum + part.length, 0)
  for (const [i, object] of objects.entries()) {
    starts.push(length())
    parts.push(Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'))
  }
  const size = objects.length + 1
  const rows = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${rows}`
  const end = `trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${length()}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(table), Buffer.from(end)])
}
