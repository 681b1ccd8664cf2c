import type { Effects } from './effects.ts'
import type { Machine } from './machine.ts'
import type { PickleReader } from './reader.ts'
import { plain } from './values.ts'

/** What opcodes work on. */
export interface Parts {
  machine: Machine
  reader: PickleReader
  effects: Effects
}

type Step = (parts: Parts) => void

/** Protocols 0 and 1 (CPython: Lib/pickletools.py). */
const letters: Record<string, Step> = {
  '(': ({ machine }) => machine.mark(),
  '0': ({ machine }) => machine.drop(),
  '1': ({ machine }) => void machine.popMarked(),
  '2': ({ machine }) => machine.dup(),
  F: ({ machine, reader }) => (reader.line(), machine.push(plain)),
  I: ({ machine, reader }) => machine.push(reader.number()),
  L: ({ machine, reader }) => machine.push(reader.number()),
  J: ({ machine, reader }) =>
    machine.push(integer(reader.cursor.number(4, (view, at) => view.getInt32(at, true)))),
  K: ({ machine, reader }) => machine.push(integer(reader.cursor.u8())),
  M: ({ machine, reader }) => machine.push(integer(reader.cursor.u16())),
  N: ({ machine }) => machine.push(plain),
  G: ({ machine, reader }) => (reader.cursor.take(8), machine.push(plain)),
  P: ({ reader, effects }) => effects.persistent({ kind: 'text', text: reader.line(), at: 0, length: 0 }),
  Q: ({ machine, effects }) => effects.persistent(machine.pop()),
  R: ({ effects }) => effects.reduce(),
  S: ({ machine, reader }) => machine.push(reader.quoted()),
  V: ({ machine, reader }) => machine.push(reader.unicodeLine()),
  T: ({ machine, reader }) => machine.push(reader.sized(reader.cursor.u32(), 'text')),
  U: ({ machine, reader }) => machine.push(reader.sized(reader.cursor.u8(), 'text')),
  X: ({ machine, reader }) => machine.push(reader.sized(reader.cursor.u32(), 'text')),
  B: ({ machine, reader }) => machine.push(reader.sized(reader.cursor.u32(), 'bytes')),
  C: ({ machine, reader }) => machine.push(reader.sized(reader.cursor.u8(), 'bytes')),
  a: ({ machine }) => machine.append([machine.pop()]),
  e: ({ machine }) => machine.append(machine.popMarked()),
  s: ({ machine }) => machine.setItems(machine.popMany(2)),
  u: ({ machine }) => machine.setItems(machine.popMarked()),
  b: ({ effects }) => effects.build(),
  c: ({ reader, effects }) => effects.global(reader.line(), reader.line()),
  d: ({ machine }) => machine.map(machine.popMarked()),
  '}': ({ machine }) => machine.map([]),
  l: ({ machine }) => machine.list(machine.popMarked()),
  ']': ({ machine }) => machine.list([]),
  t: ({ machine }) => machine.tuple(machine.popMarked()),
  ')': ({ machine }) => machine.tuple([]),
  g: ({ machine, reader }) => machine.get(reader.place()),
  h: ({ machine, reader }) => machine.get(reader.cursor.u8()),
  j: ({ machine, reader }) => machine.get(reader.cursor.u32()),
  p: ({ machine, reader }) => machine.put(reader.place()),
  q: ({ machine, reader }) => machine.put(reader.cursor.u8()),
  r: ({ machine, reader }) => machine.put(reader.cursor.u32()),
  i: ({ effects }) => effects.instance(),
  o: ({ effects }) => effects.object(),
}

/** Protocols 2 to 5. */
const numbers: [opcode: number, step: Step][] = [
  [0x80, ({ reader, effects }) => void (effects.protocol = reader.cursor.u8())],
  [0x81, ({ effects }) => effects.reduce()],
  [0x82, ({ reader, effects }) => effects.extension(reader.cursor.u8())],
  [0x83, ({ reader, effects }) => effects.extension(reader.cursor.u16())],
  [0x84, ({ reader, effects }) => effects.extension(reader.cursor.u32())],
  [0x85, ({ machine }) => machine.tuple(machine.popMany(1))],
  [0x86, ({ machine }) => machine.tuple(machine.popMany(2))],
  [0x87, ({ machine }) => machine.tuple(machine.popMany(3))],
  [0x88, ({ machine }) => machine.push(plain)],
  [0x89, ({ machine }) => machine.push(plain)],
  [0x8a, ({ machine, reader }) => machine.push(reader.long(reader.cursor.u8()))],
  [0x8b, ({ machine, reader }) => machine.push(reader.long(reader.cursor.u32()))],
  [0x8c, ({ machine, reader }) => machine.push(reader.sized(reader.cursor.u8(), 'text'))],
  [0x8d, ({ machine, reader }) => machine.push(reader.sized(reader.cursor.u64(), 'text'))],
  [0x8e, ({ machine, reader }) => machine.push(reader.sized(reader.cursor.u64(), 'bytes'))],
  [0x8f, ({ machine }) => machine.list([])],
  [0x90, ({ machine }) => machine.append(machine.popMarked())],
  [0x91, ({ machine }) => machine.list(machine.popMarked())],
  [0x92, ({ effects }) => effects.newObjectEx()],
  [0x93, ({ effects }) => effects.stackGlobal()],
  [0x94, ({ machine }) => machine.put(machine.memoSize)],
  [0x95, ({ reader, effects }) => effects.frame(reader.cursor.u64())],
  [0x96, ({ machine, reader }) => machine.push(reader.sized(reader.cursor.u64(), 'bytes'))],
  [0x97, ({ effects }) => effects.outOfBand()],
  [0x98, () => undefined],
]

const integer = (value: number) => ({ kind: 'number', value }) as const

/** What each opcode does, by its byte; STOP, which ends a pickle, is not among them. */
export const steps: readonly (Step | undefined)[] = Array.from({ length: 256 }, (_, opcode) =>
  opcode < 0x80 ? letters[String.fromCharCode(opcode)] : numbers.find(([known]) => known === opcode)?.[1],
)
