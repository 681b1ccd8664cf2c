import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished, expect, test } from 'vitest'
import { collect, fromChunks } from '../bytes.ts'
import { expectBytes, expectKind, givenBytes, givenObject, MIB } from '../testing/conformance-given.ts'
import { s3Options } from '../testing/s3-servers.ts'
import { S3Bucket } from './bucket.ts'
import { listMultiparts } from './list.ts'
import { S3BlobStore } from './s3.ts'

type Answer = (asked: IncomingMessage, answer: ServerResponse) => Promise<void> | void

/** A store whose server answers like this: real servers do so too seldom for a test. */
async function given(answer: Answer) {
  const server = createServer((asked, to) => void answer(asked, to)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const options = s3Options(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { retries: 1 })
  const store = () => {
    const made = new S3BlobStore(options)
    onTestFinished(() => made.close())
    return made
  }
  return { options, store }
}

test('a list of uploads whose next page is the same again ends with an error, not never', async () => {
  let pages = 0
  const { options } = await given((_, to) => {
    pages++
    to.setHeader('Content-Type', 'application/xml')
    to.end(
      '<ListMultipartUploadsResult><IsTruncated>true</IsTruncated>' +
        `<NextKeyMarker>${pages < 9 ? 'a' : ''}</NextKeyMarker><NextUploadIdMarker>1</NextUploadIdMarker>` +
        '</ListMultipartUploadsResult>',
    )
  })
  const bucket = new S3Bucket(options)
  onTestFinished(() => bucket.close())
  const all = listMultiparts(bucket)
  await expectKind(all.next(), 'transient')
  expect(pages).toBe(2)
})

test('a download that breaks off for good is an error, never a short object', async () => {
  const bytes = givenBytes(2 * MIB)
  let gets = 0
  const { store } = await given((asked, to) => {
    if (++gets > 1) return void to.writeHead(503).end()
    to.writeHead(200, { 'Content-Length': bytes.length })
    to.write(bytes.subarray(0, MIB + 5), () => asked.socket.destroy())
  })
  const source = await store().read('a')
  await expectKind(collect(source, 4 * MIB), 'transient')
})

test('a server that answers with other bytes than the range asked for is an error, never a wrong range', async () => {
  const bytes = givenBytes(1000)
  const { store } = await given((_, to) => {
    to.writeHead(206, { 'Content-Length': 500, 'Content-Range': 'bytes 0-499/1000' })
    to.end(bytes.subarray(0, 500))
  })
  await expectKind(store().read('a', { offset: 500, length: 500 }), 'transient')
})

test('where the server refuses taken keys, another process cannot overwrite an object', async () => {
  const objects = new Map<string, Buffer>()
  const { store } = await given(async (asked, to) => {
    const name = new URL(asked.url ?? '', 'http://s3').pathname
    const body = await buffer(asked)
    const stored = objects.get(name)
    if (asked.method === 'PUT') {
      if (stored && asked.headers['if-none-match'] === '*') return void to.writeHead(412).end()
      objects.set(name, body)
      return void to.writeHead(200, { ETag: '"e"' }).end()
    }
    if (asked.method === 'DELETE') return void to.writeHead(objects.delete(name) ? 204 : 404).end()
    if (!stored) return void to.writeHead(404).end()
    to.writeHead(200, { 'Content-Length': stored.length, 'Last-Modified': new Date(0).toUTCString() })
    to.end(asked.method === 'HEAD' ? undefined : stored)
  })
  const first = store()
  await givenObject(first, 'a', givenBytes(10))
  await expectKind(store().put('a', fromChunks(givenBytes(11))), 'exists')
  expectBytes(await collect(await first.read('a'), MIB), givenBytes(10))
})
