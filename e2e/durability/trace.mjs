// The system calls of a process and its children, as strace (6.1) prints them.
import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const traced = [
  'open,openat,creat,write,pwrite64,writev,pwritev,pwritev2,sendto,sendmsg,ftruncate,truncate,fallocate',
  'fsync,fdatasync,link,linkat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir',
].join()

/** Becomes the program that follows, while a process of its own writes down what it does. */
export const straceTo = (file) => [
  ...'strace -D -f --seccomp-bpf -y -xx -s 100000000 -e signal=none -e'.split(' '),
  `trace=${traced}`,
  '-o',
  file,
]

const statusOf = (pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State:\tZ')

/** The process that writes down what this one does. */
export async function tracerOf(pid) {
  return Number(/^TracerPid:\t(\d+)$/m.exec(await statusOf(pid))[1])
}

/** Resolves once a process has ended. */
export async function ended(pid) {
  // Without a parent that waits for it, it stays a zombie.
  while (!/^State:\t[ZX]/m.test(await statusOf(pid))) await pause(20)
}

/** The recorded calls, as `DiskCall`s in the order they ended, and what was written to sockets. */
export async function readTrace(file) {
  const text = await readFile(file, 'latin1')
  const events = []
  const begun = new Map()
  const positions = new Map()
  for (const line of text.split('\n')) {
    const [, thread, said] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (said === undefined || said.startsWith('+++')) continue
    const unfinished = / <unfinished \.\.\.>$/
    if (unfinished.test(said)) {
      begun.set(thread, said.replace(unfinished, ''))
      if (/^f(data)?sync\(/.test(said)) events.push({ call: 'sync-begins', path: pathOf(said) })
      continue
    }
    const rest = /^<\.\.\. \w+ resumed>(.*)$/.exec(said)?.[1]
    const whole = rest === undefined ? said : begun.get(thread) + rest
    for (const event of eventsOf(whole, rest === undefined)) events.push(placed(event, positions))
  }
  return events
}

/** Writes without a place of their own follow each other from where the file was opened. */
function placed(event, positions) {
  if (event.call === 'create') positions.delete(event.path)
  if (event.call !== 'write' || event.at !== undefined) return event
  const at = positions.get(event.path) ?? 0
  positions.set(event.path, at + event.bytes.length)
  return { ...event, at }
}

function eventsOf(line, isAtOnce) {
  const [, name, given, answer] = /^(\w+)\((.*)\) += (-?\d+)/.exec(line) ?? []
  if (name === undefined || Number(answer) < 0) return []
  if (/^f(data)?sync$/.test(name)) {
    const path = pathOf(line)
    return [...(isAtOnce ? [{ call: 'sync-begins', path }] : []), { call: 'sync', path }]
  }
  if (/^(open|openat|creat)$/.test(name)) return opened(name, given)
  if (/write|send/.test(name)) return written(name, given, Number(answer))
  if (/truncate/.test(name))
    return [{ call: 'truncate', path: pathOf(line), length: Number(/, (\d+)$/.exec(given)[1]) }]
  if (name === 'fallocate') throw new Error(`not known to the model of a disk: ${line.slice(0, 200)}`)
  const paths = namesIn(given)
  if (/^(link|rename)/.test(name))
    return [{ call: /^(link|rename)/.exec(name)[0], from: paths[0], to: paths[1] }]
  const call = /AT_REMOVEDIR/.test(given) ? 'rmdir' : /^(unlink|mkdir|rmdir)/.exec(name)[0]
  return [{ call, path: paths[0] }]
}

function opened(name, given) {
  const [path] = namesIn(given)
  const events = []
  if (name === 'creat' || given.includes('O_CREAT')) events.push({ call: 'create', path })
  if (name === 'creat' || given.includes('O_TRUNC')) events.push({ call: 'truncate', path, length: 0 })
  return events
}

function written(name, given, count) {
  const path = pathOf(given)
  const strings = [...given.matchAll(/(?:iov_base=|, )"([^"]*)"/g)].map(([, hex]) => bytesOf(hex))
  const bytes = Buffer.concat(strings).subarray(0, count)
  if (!path.startsWith('/'))
    return path.startsWith('socket:') ? [{ call: 'answer', text: bytes.toString('latin1') }] : []
  if (bytes.length !== count) throw new Error(`strace left out some of ${count} bytes for ${path}`)
  const place = name === 'pwritev2' ? /, (\d+), [^,]+$/ : /, (\d+)$/
  const at = name.startsWith('pwrite') ? Number(place.exec(given)[1]) : undefined
  return [{ call: 'write', path, bytes, at }]
}

const bytesOf = (hex) => Buffer.from(hex.replaceAll('\\x', ''), 'hex')
const textOf = (hex) => bytesOf(hex).toString('utf8')

/** Of the first descriptor, as it was opened. */
function pathOf(line) {
  const [, hex] = /\d+<([^>]*)>/.exec(line) ?? []
  return hex === undefined ? '' : textOf(hex).replace(/ \(deleted\)$/, '')
}

/** The names of files that a call was given, from the folders they are relative to. */
function namesIn(given) {
  const found = [...given.matchAll(/(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"([^"]*)"/g)]
  return found.map(([, folder, name]) => {
    const path = textOf(name)
    return isAbsolute(path) || folder === undefined ? path : join(textOf(folder), path)
  })
}
