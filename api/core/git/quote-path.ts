const NAMED: Record<string, string> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
}
const UNSHOWN = /["\\\p{Cc}\p{Surrogate}\u202a-\u202e\u2066-\u2069]/gu

const octal = (byte: number) => `\\${byte.toString(8).padStart(3, '0')}`

/** Stands for a byte that is no UTF-8 (0x80 to 0xff) in text: a half of a surrogate pair, U+DC80 to U+DCFF. */
export const strayByte = (byte: number): string => String.fromCharCode(0xdc00 + byte)

/**
 * A path in quotes as git writes it (quote.c, quote_c_style, with `core.quotePath` off): escapes for controls, and octal
 * digits for bytes that are no UTF-8, which `strayByte` stands for. Bidirectional controls are written so as well.
 */
export function quotePath(path: string): string {
  const escaped = path.replace(UNSHOWN, (sign) => {
    const code = sign.charCodeAt(0)
    const isStray = code >= 0xdc80 && code <= 0xdcff
    return NAMED[sign] ?? (isStray ? [code - 0xdc00] : [...Buffer.from(sign)]).map(octal).join('')
  })
  return `"${escaped}"`
}

const WRITTEN = new Map(Object.entries(NAMED).map(([sign, escape]) => [escape, sign]))

/** A path as git writes it, in quotes where it has to be, as it is. */
export function unquotePath(written: string): string {
  if (!written.startsWith('"')) return written
  const bytes = written
    .slice(1, -1)
    .split(/(\\[0-7]{3}|\\.)/)
    .map((part) =>
      /^\\[0-7]{3}$/.test(part)
        ? Buffer.of(Number.parseInt(part.slice(1), 8))
        : Buffer.from(WRITTEN.get(part) ?? part),
    )
  return Buffer.concat(bytes).toString('utf8')
}
