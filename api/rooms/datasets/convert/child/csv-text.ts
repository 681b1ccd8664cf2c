/** How the fields of a CSV file are separated. */
export interface Dialect {
  delimiter: string
  quote: string
  escape: string
}

/** The records that a text begins with, at most `max`; the last one only where it is whole. */
export function recordsOf(text: string, { delimiter, quote }: Dialect, max: number): string[][] {
  const records: string[][] = []
  let [record, field, isQuoted, isAtStart] = [[] as string[], '', false, true]
  const endField = () => {
    record.push(field)
    field = ''
    isAtStart = true
  }
  for (let i = 0; i < text.length && records.length < max; i++) {
    const c = text[i] ?? ''
    if (isQuoted) {
      if (c !== quote) field += c
      else if (text[i + 1] === quote) {
        field += quote
        i++
      } else isQuoted = false
    } else if (c === quote && isAtStart) [isQuoted, isAtStart] = [true, false]
    else if (text.startsWith(delimiter, i)) {
      endField()
      i += delimiter.length - 1
    } else if (c === '\n' || c === '\r') {
      if (c === '\r' && text[i + 1] === '\n') i++
      if (record.length > 0 || field !== '' || !isAtStart) {
        endField()
        records.push(record)
        record = []
      }
    } else {
      field += c
      isAtStart = false
    }
  }
  return records
}

/** Names of columns as pandas makes them of a header: nameless ones are numbered, and those that come again. */
export function columnNames(header: readonly string[]): string[] {
  const given = header.map((name, i) => (name === '' ? `Unnamed: ${i}` : name))
  const taken = new Set(given)
  const seen = new Set<string>()
  return given.map((name) => {
    let free = name
    for (let n = 1; seen.has(free) || (free !== name && taken.has(free)); n++) free = `${name}.${n}`
    seen.add(free)
    return free
  })
}
