import { EndOfFile, type FileBytes } from '../../parsers/index.ts'
import type { Findings } from '../findings.ts'
import { Effects } from './effects.ts'
import { Machine } from './machine.ts'
import { steps } from './opcodes.ts'
import { BadOpcode, PickleReader, type Data } from './reader.ts'
import { unknown, type Value } from './values.ts'

const MAX_OPCODES = 10_000_000
const MAX_ARRAYS = 100
const MAX_DUPS = 100
const MAX_GETS_PER_PUT = 50
/** Values that a bomb stands for, in all and for each opcode. */
const BOMB_WEIGHT = 10_000_000
const BOMB_RATIO = 100
const STOP = 0x2e

/** Where a pickle ended, and how. */
export interface Walked {
  end: number
  isStopped: boolean
  opcodes: number
  /** What it would be loaded as. */
  result: Value
}

/** What a walk meets. */
export interface WalkOptions {
  findings: Findings
  /** A text or bytes of the pickle, with how it begins. */
  onData(head: Uint8Array, data: Data): void
  /** Bytes that a call loads as a pickle of torch. */
  onLoaded(data: Data): void
  /** Whether faults of the pickle count: not where it is only tried. */
  isTrial?: boolean
}

/**
 * Walks a pickle of protocols 0 to 5 with a symbolic machine (indexing.md §3.3). It finds what would be imported and called,
 * and calls nothing. Faults are problems, and what was found before them stays: Python runs it before it fails.
 */
export class PickleWalk {
  readonly #options: WalkOptions
  readonly #machine = new Machine((message) => this.#fault('pickle_bad_opcode', message))
  readonly #reader: PickleReader
  readonly #effects: Effects
  #opcodes = 0

  /** `nesting` counts pickles that stand in the place of arrays. */
  constructor(file: FileBytes, at: number, options: WalkOptions, nesting = 0) {
    this.#options = options
    this.#reader = new PickleReader(file, at, (head, data) => options.onData(head, data))
    this.#effects = new Effects(this.#machine, this.#reader, {
      findings: options.findings,
      fault: (code, message) => this.#fault(code, message),
      onLoaded: (data) => options.onLoaded(data),
      walkAt: (inner) => {
        if (nesting === MAX_ARRAYS) throw new BadOpcode('Arrays of objects are nested too deep.')
        return new PickleWalk(file, inner, options, nesting + 1).run().end
      },
    })
  }

  /** Ends at STOP, at a fault or after `most` opcodes. */
  run(most = MAX_OPCODES): Walked {
    let isStopped = false
    try {
      while (!isStopped && this.#opcodes < most) isStopped = this.#step()
      if (!isStopped) this.#fault('pickle_limit', `The pickle has more than ${most} opcodes.`)
    } catch (error) {
      if (error instanceof EndOfFile) this.#fault('pickle_truncated', 'The pickle ends inside of an opcode.')
      else if (error instanceof BadOpcode) this.#fault(error.code, error.message)
      else throw error
    }
    this.#effects.end()
    this.#checkExpansion()
    return {
      end: this.#reader.cursor.at,
      isStopped,
      opcodes: this.#opcodes,
      result: this.#machine.top ?? unknown,
    }
  }

  /** Answers whether it was STOP. */
  #step(): boolean {
    const opcode = this.#reader.cursor.byte()
    if (opcode === -1) throw new EndOfFile()
    this.#opcodes++
    if (opcode === STOP) return true
    const step = steps[opcode]
    if (!step) throw new BadOpcode(`The opcode 0x${opcode.toString(16)} is unknown.`)
    if (this.#machine.isOverLimit)
      throw new BadOpcode('The pickle keeps more values than are looked at.', 'pickle_limit')
    step({ machine: this.#machine, reader: this.#reader, effects: this.#effects })
    return false
  }

  #fault(code: string, message: string): void {
    if (!this.#options.isTrial) this.#options.findings.problem(code, message)
  }

  #checkExpansion(): void {
    const { dups, containerGets, puts, heaviest } = this.#machine
    const isBomb = heaviest > BOMB_WEIGHT && heaviest > BOMB_RATIO * this.#opcodes
    if (isBomb || dups > MAX_DUPS || containerGets > MAX_GETS_PER_PUT * Math.max(1, puts))
      this.#fault('pickle_expansion', 'The pickle repeats its values so often that it may fill all memory.')
  }
}
