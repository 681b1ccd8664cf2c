import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Answered, Asked } from './session.ts'

const session = fileURLToPath(new URL('session.ts', import.meta.url))

/** Test runs in a session that is started when needed, and ended with all it has started when it hangs. */
export class Runner {
  readonly #root: string
  readonly #patienceMs: number
  #child: ChildProcess | undefined
  readonly #atExit = () => this.stop()

  constructor(root: string, patienceMs: number) {
    this.#root = root
    process.once('exit', this.#atExit)
    this.#patienceMs = patienceMs
  }

  /** What came of the run; 'hung' after `limitMs`, 'died' when the process ended before. */
  async run(asked: Asked, limitMs: number): Promise<Answered | 'hung' | 'died'> {
    const child = (this.#child ??= await this.#start())
    const over = new AbortController()
    const { signal } = over
    const answered = once(child, 'message', { signal }).then(([message]) => message as Answered)
    const died = once(child, 'exit', { signal }).then(() => 'died' as const)
    const hung = setTimeout(limitMs, 'hung' as const, { signal })
    child.send(asked)
    const outcome = await Promise.race([answered, died, hung])
    for (const late of [answered, died, hung]) late.catch(() => undefined)
    over.abort()
    if (typeof outcome === 'string') this.stop()
    return outcome
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(session, [this.#root, String(this.#patienceMs)], {
      cwd: this.#root,
      execArgv: ['--import', 'tsx'],
      // What faulty code prints says nothing; why a session cannot start does.
      stdio: ['ignore', 'ignore', process.env['ARSENAL_MUTANTS_LOUD'] ? 'inherit' : 'ignore', 'ipc'],
      detached: true,
    })
    const died = once(child, 'exit').then(() => {
      throw new Error('the test session could not start; ARSENAL_MUTANTS_LOUD=1 shows why')
    })
    died.catch(() => undefined)
    await Promise.race([once(child, 'message'), died])
    return child
  }

  /** Ends for good; a runner that stops starts again when it is asked. */
  close(): void {
    process.off('exit', this.#atExit)
    this.stop()
  }

  /** Ends the session and every process of its group. */
  stop(): void {
    const pid = this.#child?.pid
    this.#child = undefined
    if (!pid) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
