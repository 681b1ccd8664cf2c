import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { expectBytes, givenBytes, MIB } from '../../stores/storage/testing/conformance-given.ts'
import { directAgents, AnswerBody } from './answer-body.ts'

const sizeBytes = 9 * MIB + 5
const content = givenBytes(sizeBytes)

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

/** An answer of `content`, or of what `listener` answers, as the driver gets it. */
async function given(listener?: RequestListener): Promise<{ answer: IncomingMessage; body: AnswerBody }> {
  const answer = await asked(listener, (announced) => announced)
  // Some of the body has reached the parser by then, as it has when the client of S3 hands an answer over.
  await pause(5)
  return { answer, body: bodyOf(answer) }
}

const bodyOf = (answer: IncomingMessage) =>
  AnswerBody.of(answer, sizeBytes, () => undefined) ?? expect.fail('it is not read directly')

/** What `take` makes of the answer in the moment it is announced. */
async function asked<T>(
  listener: RequestListener | undefined,
  take: (answer: IncomingMessage) => T,
): Promise<T> {
  const server = createServer(listener ?? ((_, answer) => answer.end(content)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { httpAgent } = directAgents({ keepAlive: true })
  open.push(() => {
    httpAgent.destroy()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const request = get({ host: '127.0.0.1', port, agent: httpAgent })
  request.on('error', () => undefined)
  return new Promise((resolve) => {
    request.on('response', (answer) => {
      answer.on('error', () => undefined)
      resolve(take(answer))
    })
  })
}

async function readOn(body: AnswerBody): Promise<Buffer> {
  const copies: Uint8Array[] = []
  for (let chunk = await body.next(); chunk; chunk = await body.next()) {
    copies.push(Uint8Array.from(chunk))
    body.giveBack(chunk)
  }
  return Buffer.concat(copies)
}

test('every byte comes, also into chunks that were given back', async () => {
  const { body, answer } = await given()
  expectBytes(await readOn(body), content)
  expect(answer.socket.destroyed).toBe(true)
})

test('who takes an answer over as it is announced misses nothing', async () => {
  expectBytes(await readOn(await asked(undefined, bodyOf)), content)
})

test('a reader that waits holds the sender back', async () => {
  const { body, answer } = await given()
  await body.next()
  await body.next()
  await pause(50)
  // Three chunks at most: the one just read, one that waits and one that is being filled.
  expect(answer.socket.bytesRead).toBeLessThan(5 * MIB)
  body.destroy()
})

test('what came before a connection broke is handed over first', async () => {
  const { body } = await given((_, answer) => {
    answer.writeHead(200, { 'Content-Length': sizeBytes })
    answer.write(content.subarray(0, 3 * MIB + 9), () => answer.destroy())
  })
  const sizes: number[] = []
  const broken = async () => {
    for (let chunk = await body.next(); chunk; chunk = await body.next()) sizes.push(chunk.length)
  }
  await expect(broken()).rejects.toThrow()
  expect(sizes.slice(0, 2)).toEqual([MIB, MIB])
})

test('who waits for a silent sender hears why it was given up', async () => {
  const { body } = await given((_, answer) => {
    answer.writeHead(200, { 'Content-Length': sizeBytes })
    answer.write('x')
  })
  const next = body.next()
  body.destroy(new Error('silent'))
  expect(await next).toHaveLength(1)
  await expect(body.next()).rejects.toThrow('silent')
})
