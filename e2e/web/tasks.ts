import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Locator } from '@playwright/test'
import { expect } from './fixtures.ts'

const document = fileURLToPath(new URL('../../docs/tasks.md', import.meta.url))

/** What a person does with the mouse for a task, counted. */
export class Task {
  #clicks = 0
  readonly #start = performance.now()

  /** A press of a button, a link, a field. */
  async click(target: Locator) {
    this.#clicks++
    await target.click()
  }

  /** An option of a list: one press opens it, another chooses. */
  async choose(list: Locator, label: string) {
    this.#clicks += 2
    await list.selectOption({ label })
  }

  /** A press into the field, then keys. */
  async type(field: Locator, text: string) {
    await this.click(field)
    await field.pressSequentially(text)
  }

  /** Files or a folder: one press opens the system's dialog, one chooses there, one confirms. */
  async choosePath(input: Locator, path: string) {
    this.#clicks += 3
    await input.setInputFiles(path)
  }

  /** Prints what it took; the table in docs/tasks.md must say the same clicks. */
  end(name: string) {
    const seconds = (performance.now() - this.#start) / 1000
    console.log(`task: ${name}: ${this.#clicks} clicks, ${seconds.toFixed(1)} s`)
    const row = readFileSync(document, 'utf8')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .find(([, task]) => task === name)
    expect(row?.[2], `clicks of “${name}” in docs/tasks.md`).toBe(String(this.#clicks))
  }
}
