import type { ParseAnswer, ParseRequest, WorkerMessage } from './markdown.worker.ts'
import workerUrl from './markdown.worker.ts?worker&url'

// A long card takes some 50 ms. Made-up ones take minutes: the parser looks again and again at what may begin a pair.
const deadlineMs = 5000
// Their trees take ten times as much.
const maxKeptCharacters = 2_000_000

interface Job {
  request: ParseRequest
  done: (answer: ParseAnswer) => void
}

let worker: Worker | undefined
/** Whether its script is there: a slow connection takes longer to fetch that than any document takes. */
let isReady = false
let running: { job: Job; timer?: number } | undefined
const waiting: Job[] = []
const kept = new Map<string, Promise<ParseAnswer>>()
/** Keys of those that are answered, oldest first. */
const answered: string[] = []
let answeredCharacters = 0

/**
 * The tree of a document, off the page's thread; `undefined` of one that cannot be laid out, or not within 5 s of
 * work. The same question is answered by the same promise.
 */
export function parse(text: string, prefix: string, referencesIn?: string): Promise<ParseAnswer> {
  const key = `${prefix}\n${referencesIn ?? ''}\n${text}`
  const known = kept.get(key)
  if (known) return known
  const answer = new Promise<ParseAnswer>((done) =>
    waiting.push({ request: { text, prefix, referencesIn }, done }),
  )
  kept.set(key, answer)
  void answer.then(() => forgetBefore(key))
  begin()
  return answer
}

/** A caller that waits asks again once the answer is there, so only older ones are dropped. */
function forgetBefore(key: string): void {
  answered.push(key)
  answeredCharacters += key.length
  while (answeredCharacters > maxKeptCharacters && answered.length > 1) {
    const oldest = answered.shift() ?? ''
    answeredCharacters -= oldest.length
    kept.delete(oldest)
  }
}

function begin(): void {
  const job = running ? undefined : waiting.shift()
  if (!job) return
  running = { job }
  worker ??= start()
  worker.postMessage(job.request)
  if (isReady) limitTime()
}

function limitTime(): void {
  if (running) running.timer = window.setTimeout(giveUp, deadlineMs)
}

function start(): Worker {
  const started = new Worker(workerUrl, { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<WorkerMessage>) => {
    if (data !== 'ready') return end(data)
    isReady = true
    limitTime()
  })
  started.addEventListener('error', giveUp)
  return started
}

function end(answer: ParseAnswer): void {
  if (!running) return
  const { job, timer } = running
  window.clearTimeout(timer)
  running = undefined
  job.done(answer)
  begin()
}

/** Nothing else ends a parser that is at work. */
function giveUp(): void {
  worker?.terminate()
  worker = undefined
  isReady = false
  end(undefined)
}
