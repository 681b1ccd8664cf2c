// Processes that check data folders, as `arsenal fsck --deep` does; starting the command for each takes a second.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('check-folders.ts', import.meta.url))

export class Checker {
  #child = fork(program, { execArgv: ['--import', 'tsx'] })
  #turn = Promise.resolve()

  /** What is wrong with a data folder; one at a time. */
  damage(folder) {
    const turn = this.#turn.then(async () => {
      this.#child.send({ folder })
      const [{ found }] = await once(this.#child, 'message')
      return found
    })
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  close() {
    this.#child.kill()
  }
}
