import { EndOfFile } from '../../parsers/index.ts'
import type { Findings } from '../findings.ts'
import { asPython3 } from '../verdicts/judge.ts'
import { arrayBytes } from './arrays.ts'
import type { Machine } from './machine.ts'
import type { Data, PickleReader } from './reader.ts'
import { isGlobal, nameOf, plain, unknown, type Value } from './values.ts'

/** As safe as the bytes it is called with. */
const LOADER = ['torch.storage', '_load_from_bytes'] as const

interface Outside {
  findings: Findings
  fault(code: string, message: string): void
  /** Bytes that a call loads as a pickle of torch. */
  onLoaded(data: Data): void
  /** Walks a pickle that stands in the place of an array; answers where it ends. */
  walkAt(at: number): number
}

/** What opcodes would import, call and set. */
export class Effects {
  readonly #machine: Machine
  readonly #reader: PickleReader
  readonly #outside: Outside
  #hasLoader = false
  #hasLoaded = false
  protocol = 0

  constructor(machine: Machine, reader: PickleReader, outside: Outside) {
    this.#machine = machine
    this.#reader = reader
    this.#outside = outside
  }

  /** The pickle is over. */
  end(): void {
    if (this.#hasLoader && !this.#hasLoaded) this.#outside.findings.import(...LOADER)
  }

  global(module: string, name: string): void {
    // Python maps the names of Python 2 up to protocol 2.
    const [found, foundName] = this.protocol < 3 ? asPython3(module, name) : [module, name]
    if (found === LOADER[0] && foundName === LOADER[1]) this.#hasLoader = true
    else this.#outside.findings.import(found, foundName)
    this.#machine.push({ kind: 'global', module: found, name: foundName })
  }

  stackGlobal(): void {
    const name = this.#machine.pop()
    const module = this.#machine.pop()
    if (
      module.kind === 'text' &&
      name.kind === 'text' &&
      module.text !== undefined &&
      name.text !== undefined
    )
      return this.global(module.text, name.text)
    this.#outside.findings.import('unknown', 'unknown')
    this.#machine.push(unknown)
  }

  /** A number that stands for a name in Python's registry of extensions. */
  extension(code: number): void {
    this.#outside.findings.import('copyreg extension registry', String(code))
    this.#machine.push(unknown)
  }

  instance(): void {
    this.global(this.#reader.line(), this.#reader.line())
    const callee = this.#machine.pop()
    this.#call(callee, this.#machine.popMarked())
  }

  object(): void {
    const [callee, ...args] = this.#machine.popMarked()
    this.#call(callee ?? unknown, args)
  }

  reduce(): void {
    const args = this.#machine.pop()
    this.#call(this.#machine.pop(), argsOf(args))
  }

  newObjectEx(): void {
    const named = this.#machine.pop()
    const args = this.#machine.pop()
    this.#call(this.#machine.pop(), [...argsOf(args), named])
  }

  build(): void {
    const state = this.#machine.pop()
    const target = this.#machine.top ?? unknown
    if (target.kind === 'call') {
      target.state = state
      this.#skipArray(target)
    } else if (target.kind === 'global' || target.kind === 'unknown')
      this.#outside.fault('pickle_build', `The pickle sets attributes of ${nameOf(target)}.`)
  }

  persistent(id: Value): void {
    const [first, type] = id.kind === 'tuple' ? id.items : []
    const isStorage = first?.kind === 'text' && first.text === 'storage' && type?.kind === 'global'
    if (!isStorage)
      this.#outside.fault(
        'pickle_persistent_id',
        'The pickle asks for an object by an id that is not of torch.',
      )
    this.#machine.push({ kind: 'call', of: type ?? plain, args: [] })
  }

  frame(length: bigint): void {
    if (length > BigInt(Math.max(0, this.#reader.cursor.leftBytes)))
      this.#outside.fault('pickle_truncated', 'A frame ends behind the end of the pickle.')
  }

  outOfBand(): void {
    this.#outside.fault('pickle_out_of_band', 'The pickle asks for a buffer that is not in it.')
    this.#machine.push(unknown)
  }

  #call(callee: Value, args: Value[]): void {
    if (callee.kind !== 'global')
      this.#outside.fault(
        'pickle_computed_call',
        `The pickle calls what it has computed (${nameOf(callee)}).`,
      )
    const [first] = args
    if (isGlobal(callee, ...LOADER)) this.#loaded(first)
    // What gets the loader may call it.
    if (args.some((arg) => isGlobal(arg, ...LOADER))) this.#outside.findings.import(...LOADER)
    // Protocol 2 writes bytes as text in Latin-1.
    if (isGlobal(callee, '_codecs', 'encode') && first?.kind === 'text')
      this.#machine.push({ kind: 'bytes', at: first.at, length: first.length, isText: true })
    else this.#machine.push({ kind: 'call', of: callee, args: args.slice(0, 8) })
  }

  #loaded(bytes: Value | undefined): void {
    this.#hasLoaded = true
    if (bytes?.kind === 'bytes') this.#outside.onLoaded(bytes)
    else this.#outside.findings.import(...LOADER)
  }

  /** joblib writes the bytes of an array behind the opcode that describes it. */
  #skipArray(target: Value & { kind: 'call' }): void {
    if (!isGlobal(target.of, 'joblib.numpy_pickle', 'NumpyArrayWrapper')) return
    const { cursor } = this.#reader
    const array = arrayBytes(target.state)
    if (array === undefined)
      return this.#outside.fault(
        'joblib_array',
        'The length of an array is unclear, so what follows it is, too.',
      )
    if (array === 'objects') return cursor.seek(this.#outside.walkAt(cursor.at))
    const length = array.sizeBytes + (array.isAligned ? cursor.u8() : 0)
    if (length > cursor.leftBytes) throw new EndOfFile()
    cursor.skip(length)
  }
}

const argsOf = (args: Value): Value[] => (args.kind === 'tuple' || args.kind === 'list' ? args.items : [args])
