// isomorphic-git: clone <url> <folder> | fetch <folder> | push <folder> <files>; says the commit it then has.
import fs from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [module, verb, ...args] = process.argv.slice(2)
const { default: git } = await import(pathToFileURL(module).href)
const { default: http } = await import(pathToFileURL(join(module, '..', 'http', 'node', 'index.cjs')).href)
const { CLIENT_USER: username, CLIENT_TOKEN: password } = process.env
const remote = { fs, http, onAuth: () => ({ username, password }) }
const author = { name: 'Ada', email: 'ada@example.org' }

const verbs = {
  async clone(url, dir) {
    await git.clone({ ...remote, dir, url })
    return git.resolveRef({ fs, dir, ref: 'HEAD' })
  },
  async fetch(dir) {
    return (await git.fetch({ ...remote, dir, ref: 'main' })).fetchHead
  },
  async push(dir, count) {
    const paths = Array.from({ length: Number(count) }, (_, i) => `by-isomorphic/${count}/${i % 20}/${i}.txt`)
    for (const path of paths) {
      await mkdir(join(dir, path, '..'), { recursive: true })
      await writeFile(join(dir, path), `${path}\n`)
    }
    await git.add({ fs, dir, filepath: paths })
    const sha = await git.commit({ fs, dir, author, message: `${count} files` })
    const { ok, error } = await git.push({ ...remote, dir, ref: 'main' })
    if (!ok) throw new Error(error)
    return sha
  },
}
console.log(await verbs[verb](...args))
