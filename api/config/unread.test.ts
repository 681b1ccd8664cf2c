import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { keys } from './keys.ts'
import { unread } from './unread.ts'

const api = new URL('..', import.meta.url)

/** Code outside config/ that runs in the product; it reads keys by their full path, such as `config.lfs.verify_wait`. */
function productCode(): string {
  return readdirSync(api, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => file.endsWith('.ts') && !/^(config|dev|node_modules)\/|\.test\.ts$|^testing\.ts$/.test(file),
    )
    .map((file) => readFileSync(new URL(file, api), 'utf8'))
    .join('\n')
}

/** A list of objects and a map are read as a whole. */
function readable(name: string): string {
  return name.replace(/\[\].*|\.<id>.*/, '')
}

function isRead(name: string, code: string): boolean {
  const path = readable(name).split('.').join('\\s*\\??\\.\\s*')
  return new RegExp(`\\bconfig\\s*\\??\\.\\s*${path}\\b`).test(code)
}

test('the list of keys that nothing reads yet only shrinks', () => {
  const code = productCode()
  const names = [...new Set(keys().map((key) => readable(key.name)))]
  expect(names.filter((name) => !isRead(name, code))).toEqual(unread.filter((name) => names.includes(name)))
  expect(unread.filter((name) => !names.includes(name))).toEqual([])
})
