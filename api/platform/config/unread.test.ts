import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { keys } from './keys.ts'
import { unread } from './unread.ts'

const api = new URL('../..', import.meta.url)

/** Sections that are passed on whole, and the files that read them: a word elsewhere proves nothing of them. */
const passedOn: Record<string, string[]> = {
  database: ['stores/db/open.ts'],
  'storage.s3': ['stores/storage/s3/'],
  'storage.fs': ['stores/storage/open.ts'],
}

function filesOf(pattern: (file: string) => boolean): string {
  return readdirSync(api, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && pattern(file))
    .map((file) => readFileSync(new URL(file, api), 'utf8').replace(comments, ''))
    .join('\n')
}

// What a comment names is not read.
const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm

/** Code outside config/ that runs in the product. */
const isProduct = (file: string) =>
  !/^(platform\/config|dev|node_modules)\/|\.test\.ts$|(^|\/)testing(\.ts$|\/)/.test(file)

/** A list of objects and a map are read as a whole. */
function readable(name: string): string {
  return name.replace(/\[\].*|\.<id>.*/, '')
}

/**
 * Whether code reads a key: by its path (`config.lfs.verify_wait`, or `git.cache_dir` of `const { git } = config`), by
 * taking its section apart (`const { cache_dir } = config.git`), or in the files that its section is passed on to.
 */
function isRead(name: string, code: string): boolean {
  const parts = readable(name).split('.')
  const key = parts.at(-1) ?? ''
  const section = parts.slice(0, -1)
  const byPath = new RegExp(`\\b${parts.slice(-2).join('\\s*\\??\\.\\s*')}\\b`).test(code)
  const ofSection = `\\{[^{}]*\\b${key}\\b[^{}]*\\}\\s*=\\s*[\\w.]*\\b${section.join('\\.')}\\b`
  const ofPattern = `\\b${section.at(-1)}:\\s*\\{[^{}]*\\b${key}\\b[^{}]*\\}`
  const files = passedOn[section.join('.')]
  return (
    byPath ||
    new RegExp(ofSection).test(code) ||
    new RegExp(ofPattern).test(code) ||
    (files !== undefined &&
      new RegExp(`\\b${key}\\b`).test(
        filesOf((file) => isProduct(file) && files.some((at) => file.startsWith(at))),
      ))
  )
}

test('the list of keys that nothing reads yet only shrinks', () => {
  const code = filesOf(isProduct)
  const names = [...new Set(keys().map((key) => readable(key.name)))]
  expect(names.filter((name) => !isRead(name, code))).toEqual(unread.filter((name) => names.includes(name)))
  expect(unread.filter((name) => !names.includes(name))).toEqual([])
})

test.each([
  ['a variable of another name space', 'const verify_wait = 3\nawait pause(verify_wait)'],
  ['the same key of another section', 'await pause(config.chunk.verify_wait)'],
  ['the same key, taken out of another section', 'const { verify_wait } = config.chunk'],
  ['a longer key', 'await pause(config.lfs.verify_wait_more)'],
  ['a longer section', 'await pause(config.mylfs.verify_wait)'],
  ['a text', "throw new Error('verify_wait is too short')"],
  ['a field of an answer', 'return { lfs: true, verify_wait: 3 }'],
])('a word that occurs elsewhere does not read a key: %s', (_, code) => {
  expect(isRead('lfs.verify_wait', code)).toBe(false)
})

test.each([
  'await pause(config.lfs.verify_wait)',
  'await pause(config.lfs?.verify_wait)',
  'const { verify_wait, other } = config.lfs',
  'const { lfs: { verify_wait } } = config',
])('a key is read by %s', (code) => {
  expect(isRead('lfs.verify_wait', code)).toBe(true)
})
