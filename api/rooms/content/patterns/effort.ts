import { invalidField, type Problem } from '../../../platform/problems/index.ts'
import { Turns, type Caller } from '../../../platform/flow/index.ts'
import { matchGlob, OutOfSteps, type Glob } from './glob.ts'

/**
 * Steps of matching for one request: 0.3 s on one core. The usual rules of a repo take 100 steps per file, and there are
 * at most 25 000 files.
 */
const MAX_STEPS = 50_000_000
/** Steps of one pattern on one path, which cannot be interrupted: 5 ms. */
const MAX_STEPS_AT_ONCE = 1_000_000
/** What trying a pattern costs before its first byte is compared. */
const STEPS_TO_BEGIN = 25
/** The clock is read so often. */
const STEPS_PER_LOOK = 10_000
/** Comparing or hashing this many characters takes as long as one step. */
const CHARS_PER_STEP = 16

/** What matching may cost one request; it also gives others their turn. */
export class Effort {
  readonly turn: Turns
  #stepsLeft = MAX_STEPS
  #lookAt = MAX_STEPS - STEPS_PER_LOOK

  constructor(caller?: Caller) {
    this.turn = new Turns(caller)
  }

  /** Whether others should have their turn now. */
  get isDue(): boolean {
    if (this.#stepsLeft > this.#lookAt) return false
    this.#lookAt = this.#stepsLeft - STEPS_PER_LOOK
    return this.turn.isOver
  }

  /** Counts a look-up or comparison of a whole text. Throws `OutOfSteps`. */
  spendOn(text: string): void {
    this.spend(1 + Math.floor(text.length / CHARS_PER_STEP))
  }

  /** Whether a glob matches. Throws `OutOfSteps`. */
  matches(glob: Glob, text: string): boolean {
    const steps = matchGlob(glob, text, MAX_STEPS_AT_ONCE)
    this.spend(STEPS_TO_BEGIN + Math.abs(steps))
    return steps > 0
  }

  /** Counts steps. Throws `OutOfSteps`. */
  spend(steps: number): void {
    this.#stepsLeft -= steps
    if (this.#stepsLeft < 0) throw new OutOfSteps()
  }
}

/** Runs the matching of one file's rules; Problem `validation-failed`, of `field`, when it takes too many steps. */
export async function within<T>(field: string, match: () => Promise<T>): Promise<T> {
  try {
    return await match()
  } catch (error) {
    throw error instanceof OutOfSteps ? tooManyRules(field) : error
  }
}

/** The rules of a file take too long to match. */
export const tooManyRules = (field: string): Problem =>
  invalidField(
    field,
    'its rules take too long to match with these paths. Use fewer rules, and simple ones such as "*.bin" or "/folder/file".',
    'too-many-rules',
  )
