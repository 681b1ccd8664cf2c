import { asU64, type JsonReader } from '../json/json-reader.ts'

/** A tensor as the header says it. */
export interface Entry {
  dtype: string
  shape: bigint[]
  begin: bigint
  end: bigint
}

type Fault = { fault: string }

/** Reads one tensor. A list of the three values counts as well: Rust's serde takes it (safetensors 0.8). */
export function readEntry(json: JsonReader): Entry | Fault {
  const kind = json.kind()
  const found: Partial<Record<Field, unknown>> = {}
  let fault: string | undefined
  const set = (field: Field): void => {
    if (field in found) fault = `has ${field} twice`
    found[field] = readers[field](json)
    if (found[field] === undefined) fault ??= `has no valid ${field}`
  }
  if (kind === 'object') {
    for (const key of json.members())
      if (isField(key)) set(key)
      else json.skip()
  } else if (kind === 'array') {
    let place = 0
    json.eachItem(() => {
      const field = fields[place++]
      if (field) return set(field)
      fault = 'has too many values'
      json.skip()
    })
  } else {
    json.skip()
    fault = 'is no object'
  }
  for (const field of fields) if (!(field in found)) fault ??= `lacks ${field}`
  if (fault !== undefined) return { fault }
  const [begin, end] = found.data_offsets as [bigint, bigint]
  return { dtype: found.dtype as string, shape: found.shape as bigint[], begin, end }
}

const fields = ['dtype', 'shape', 'data_offsets'] as const
type Field = (typeof fields)[number]
const isField = (key: string): key is Field => (fields as readonly string[]).includes(key)

const readers: Record<Field, (json: JsonReader) => unknown> = {
  dtype: (json) => {
    if (json.kind() === 'string') return json.string()
    return void json.skip()
  },
  shape: integers,
  data_offsets: (json) => {
    const offsets = integers(json)
    return offsets?.length === 2 ? offsets : undefined
  },
}

function integers(json: JsonReader): bigint[] | undefined {
  if (json.kind() !== 'array') return void json.skip()
  const found: bigint[] = []
  let isValid = true
  json.eachItem(() => {
    const value = json.kind() === 'number' ? asU64(json.number()) : void json.skip()
    if (value === undefined) isValid = false
    else found.push(value)
  })
  return isValid ? found : undefined
}
