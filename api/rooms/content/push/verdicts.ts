import type { PushCommand, PushReport } from '../../../core/git/index.ts'

/** What becomes of each ref of a push, and what the sender reads. */
export class Verdicts {
  readonly #commands: PushCommand[]
  readonly #isAtomic: boolean
  readonly #refusals = new Map<string, string>()
  readonly #messages: string[] = []
  #unpackFault: string | undefined

  constructor(commands: PushCommand[], isAtomic: boolean) {
    this.#commands = commands
    this.#isAtomic = isAtomic
  }

  /** Commands that nothing speaks against so far: none once one of an atomic push is refused. */
  get accepted(): PushCommand[] {
    return this.#commands.filter(({ ref }) => !this.isRefused(ref))
  }

  get refused(): PushCommand[] {
    return this.#commands.filter(({ ref }) => this.isRefused(ref))
  }

  isRefused(ref: string): boolean {
    return this.#refusals.has(ref) || (this.#isAtomic && this.#refusals.size > 0)
  }

  /** `lines` are shown once, however many refs are refused with them. */
  refuse(ref: string, reason: string, lines: string[] = []): void {
    if (!this.#refusals.has(ref)) this.#refusals.set(ref, reason)
    this.warn(lines)
  }

  /** Shows lines that begin with one that was not shown yet. */
  warn(lines: string[]): void {
    const [first] = lines
    if (first !== undefined && !this.#messages.includes(first)) this.#messages.push(...lines)
  }

  refuseAll(reason: string, lines: string[] = []): void {
    for (const { ref } of this.accepted) this.refuse(ref, reason, lines)
  }

  /** The pack was not taken, so that no ref moves. */
  refusePack(fault: string, lines: string[] = []): void {
    this.#unpackFault = fault
    for (const { ref } of this.#commands) this.refuse(ref, 'unpacker error', lines)
  }

  report(): PushReport {
    const refs = this.#commands.map(({ ref }) => {
      const refusal = this.#refusals.get(ref) ?? (this.isRefused(ref) ? 'atomic push failed' : undefined)
      return refusal === undefined ? { ref } : { ref, refusal }
    })
    return {
      refs,
      messages: this.#messages,
      ...(this.#unpackFault === undefined ? {} : { unpackFault: this.#unpackFault }),
    }
  }
}
