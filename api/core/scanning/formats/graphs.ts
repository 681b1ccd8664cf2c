import type { FileBytes } from '../../parsers/index.ts'
import type { Context } from '../context.ts'
import { firstOf, windows } from '../search.ts'

const MAX_CONFIG = 64 * 1024 * 1024
const harmlessModule = /^(keras|tf_keras|tensorflow|builtins)(\.|$)/
/** Field 2 of a node is its operation. */
const unsafeOps = ['ReadFile', 'WriteFile', 'PyFunc', 'EagerPyFunc'].map(
  (op) => `\x12${String.fromCharCode(op.length)}${op}`,
)
const LOCATION = Buffer.from('\x0a\x08location\x12', 'latin1')

/** The `config.json` of a Keras file: layers of marshalled code, and classes of other packages. */
export function scanKerasConfig(context: Context, file: FileBytes): void {
  const { findings } = context
  if (file.sizeBytes > MAX_CONFIG)
    return findings.problem('scan_incomplete', 'The settings of the model are too large.')
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(file.read(0, file.sizeBytes)).toString('utf8'))
  } catch {
    return findings.problem('keras_damaged', 'The settings of the model are no JSON.')
  }
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    const { class_name: name, module } = next as { class_name?: unknown; module?: unknown }
    if (name === 'Lambda' || name === '__lambda__')
      findings.problem('keras_lambda', 'The model has a Lambda layer, which runs its own code.')
    if (typeof module === 'string' && !harmlessModule.test(module))
      findings.problem('keras_custom_module', `The model loads classes of ${module}.`)
    for (const inner of Object.values(next)) waiting.push(inner)
  }
}

/** Keras keeps its settings in an attribute, whose bytes are as they are. */
export function scanHdf5(context: Context, file: FileBytes): void {
  if (firstOf(file, ['"class_name": "Lambda"', '"class_name":"Lambda"', '"class_name": "__lambda__"']))
    context.findings.problem('keras_lambda', 'The model has a Lambda layer, which runs its own code.')
}

/** A graph of TensorFlow with operations that read and write files or call Python. */
export function scanTensorflow(context: Context, file: FileBytes): void {
  const found = firstOf(file, unsafeOps)
  if (found) context.findings.problem('tf_unsafe_op', `The graph has the operation ${found.slice(2)}.`)
}

/** ONNX may keep weights in other files, which must lie beside it. */
export function scanOnnx(context: Context, file: FileBytes): void {
  for (const { bytes } of windows(file, 0, file.sizeBytes, 1024))
    for (let at = bytes.indexOf(LOCATION); at !== -1; at = bytes.indexOf(LOCATION, at + 1)) {
      const from = at + LOCATION.length
      const [low = 0, high = 0] = bytes.subarray(from, from + 2)
      const path =
        low < 0x80
          ? bytes.subarray(from + 1, from + 1 + low)
          : bytes.subarray(from + 2, from + 2 + (low & 0x7f) + (high << 7))
      const text = path.toString('utf8')
      if (/(^|[/\\])\.\.([/\\]|$)|^[/\\]|^[A-Za-z]:|:\/\//.test(text))
        context.findings.problem('onnx_external_path', `Weights are read from ${text}.`)
    }
}
