import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { giveWay } from '../../../platform/give-way.ts'
import { killGroup, signalGroup } from './kill-group.ts'
import { EXIT_CODE, ORDER, readOrder, STDERR, type Order } from './runner-protocol.ts'

/*
 * The git runner: a small process that starts every git, since a spawn blocks its parent for time that grows with the
 * parent's memory (12 ms at 250 MB). One HTTP request per git on a unix socket in a private folder: the order in a
 * header, stdin as the body; stdout comes back as the body, exit code and the end of stderr as trailers.
 */
const STDERR_TAIL_BYTES = 8192

/** Only this reaches git: no user or system configuration, no prompts, no locale. */
function environment(home: string, { protocol, allocBytes, traceparent }: Order): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    LC_ALL: 'C',
    ...(protocol === undefined ? {} : { GIT_PROTOCOL: `version=${protocol}` }),
    ...(traceparent === undefined ? {} : { TRACEPARENT: traceparent }),
    ...(allocBytes === undefined ? {} : { GIT_ALLOC_LIMIT: String(allocBytes) }),
  }
}
const SETTINGS = ['-c', 'pack.threads=2', '-c', 'pack.windowMemory=128m', '-c', 'gc.auto=0']

function serve(home: string, request: IncomingMessage, response: ServerResponse): void {
  const order = readOrder(request.headers[ORDER])
  const { dir, args, timeoutMs } = order
  const env = environment(home, order)
  const child = spawn('git', [...SETTINGS, ...args], { cwd: dir, env, detached: true })
  running.add(child.pid)
  giveWay(child.pid)
  let stderr = Buffer.alloc(0)
  const timer = setTimeout(() => killGroup(child.pid), timeoutMs)
  response.writeHead(200, { trailer: `${EXIT_CODE}, ${STDERR}` })
  response.flushHeaders()
  // A git that exits early closes its stdin; without a listener EPIPE would end this process.
  child.stdin.on('error', () => drain(request, child.stdin))
  request.on('error', () => child.stdin.destroy())
  request.pipe(child.stdin)
  child.stdout.pipe(response, { end: false })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_TAIL_BYTES)
  })
  const finish = (code: number) => {
    clearTimeout(timer)
    running.delete(child.pid)
    response.addTrailers({ [EXIT_CODE]: String(code), [STDERR]: stderr.toString('base64') })
    response.end()
    drain(request, child.stdin)
  }
  child.on('error', (error) => {
    stderr = Buffer.from(error.message)
    finish(-1)
  })
  child.on('close', (code) => finish(code ?? -1))
  response.on('close', () => {
    if (!response.writableFinished) killGroup(child.pid)
  })
}

/** Reads and drops the rest, so that its sender can finish. */
function drain(request: IncomingMessage, stdin: NodeJS.WritableStream): void {
  request.unpipe(stdin)
  request.resume()
}

const running = new Set<number | undefined>()
const socketDir = process.argv[2] ?? ''
const home = join(socketDir, 'home')
mkdirSync(home, { recursive: true })
const server = createServer((request, response) => serve(home, request, response))
server.requestTimeout = 0
server.listen(join(socketDir, 'git.sock'), () => process.send?.('ready', () => undefined))
// The channel closes when the parent ends, however it ends; it may have before this program was read.
process.on('disconnect', end)
if (!process.connected) end()

function end(): void {
  for (const pid of running) signalGroup(pid, 'SIGKILL')
  rmSync(socketDir, { recursive: true, force: true })
  process.exit(0)
}
