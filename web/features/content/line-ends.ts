/** A text as editors hold it, its lines ended by LF, and how its lines end in the file. */
export interface Lines {
  text: string
  /** Whether its lines end in CR LF, all of them. */
  isCrlf: boolean
}

/** The text of UTF-8 bytes; `undefined` where writing it again could not give the same bytes. */
export function decodeLines(bytes: Uint8Array): Lines | undefined {
  let source: string
  try {
    source = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
  const text = source.replaceAll('\r\n', '\n')
  const lines = { text, isCrlf: text !== source }
  // A NUL is no text, and a lone CR or a mixture of line ends would not outlive a text field.
  return !source.includes('\0') && !text.includes('\r') && encodeLines(lines) === source ? lines : undefined
}

/** The text with its own line ends. */
export const encodeLines = ({ text, isCrlf }: Lines): string =>
  isCrlf ? text.replaceAll('\n', '\r\n') : text
