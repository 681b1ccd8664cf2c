import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { keys } from './keys.ts'
import { unread } from './unread.ts'

const api = new URL('..', import.meta.url)

/** Code outside config/ that runs in the product; it reads keys by their full path, such as `config.lfs.verify_wait`. */
function productCode(): string {
  return readdirSync(api, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        file.endsWith('.ts') &&
        !/^(config|dev|node_modules)\/|\.test\.ts$|(^|\/)testing(\.ts$|\/)/.test(file),
    )
    .map((file) => readFileSync(new URL(file, api), 'utf8'))
    .join('\n')
}

/** A list of objects and a map are read as a whole. */
function readable(name: string): string {
  return name.replace(/\[\].*|\.<id>.*/, '')
}

/** By its full path or that of its section (`git.cache_dir` of `const { git } = config`); or under its own name, where the section that holds it is passed on whole (`openDb(config.database)`). */
function isRead(name: string, code: string): boolean {
  const parts = readable(name).split('.')
  const path = (length: number) =>
    `\\bconfig\\s*\\??\\.\\s*${parts.slice(0, length).join('\\s*\\??\\.\\s*')}\\b`
  const passedOn = parts.slice(1).some((_, i) => new RegExp(`${path(i + 1)}(?!\\s*\\??\\.)`).test(code))
  const unpacked = parts.length > 1 && new RegExp(`\\b${parts.slice(-2).join('\\.')}\\b`).test(code)
  return (
    unpacked ||
    new RegExp(path(parts.length)).test(code) ||
    (passedOn && new RegExp(`\\b${parts.at(-1)}\\b`).test(code))
  )
}

test('the list of keys that nothing reads yet only shrinks', () => {
  const code = productCode()
  const names = [...new Set(keys().map((key) => readable(key.name)))]
  expect(names.filter((name) => !isRead(name, code))).toEqual(unread.filter((name) => names.includes(name)))
  expect(unread.filter((name) => !names.includes(name))).toEqual([])
})
