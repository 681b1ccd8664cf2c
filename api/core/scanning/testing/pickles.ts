/** Pickles written by hand: byte strings, joined. A `string` stands for its characters as Latin-1. */
export const pickle = (...parts: (string | Uint8Array)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))

/** SHORT_BINUNICODE. */
export const text = (value: string): Buffer =>
  pickle('\x8c', Buffer.from([Buffer.byteLength(value)]), Buffer.from(value))

/** SHORT_BINBYTES, or BINBYTES. */
export const bytes = (value: Uint8Array): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(value.length)
  return pickle('B', length, value)
}

/** A call of `module.name` with a text, in protocol 4. */
export const call = (module: string, name: string, argument = 'id'): Buffer =>
  pickle('\x80\x04', text(module), text(name), '\x93', text(argument), '\x85R.')

/** The same in protocol 0. */
export const oldCall = (module: string, name: string): Buffer => pickle(`c${module}\n${name}\n(S'id'\ntR.`)
