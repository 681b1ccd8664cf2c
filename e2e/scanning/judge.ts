import { createInterface } from 'node:readline'
import { inMemory, inspectBytes } from '../../api/core/parsers/index.ts'
import { scanBytes } from '../../api/core/scanning/index.ts'

/** A file to judge: its name and its bytes. */
interface Asked {
  name: string
  base64: string
  isScanned: boolean
}

/* What our parsers and scanner say of files, for the tests in Python: a line of JSON in, a line of JSON out. */
for await (const line of createInterface({ input: process.stdin })) {
  const { name, base64, isScanned } = JSON.parse(line) as Asked
  const file = inMemory(Buffer.from(base64, 'base64'))
  const facts = inspectBytes({ path: name }, file)
  const scan = isScanned ? scanBytes({ path: name }, file) : undefined
  process.stdout.write(`${JSON.stringify({ facts, scan })}\n`)
}
