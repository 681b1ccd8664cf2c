import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { listen } from './listen.ts'

test('a request of one caller comes before most that another one sent earlier', async () => {
  const begun: string[] = []
  const server = await listen(
    {
      fetch: (request: Request) => {
        begun.push(request.headers.get('authorization') ?? '')
        return new Response('hello')
      },
    },
    '127.0.0.1:0',
  )
  const { port } = server.address() as AddressInfo
  const dial = async () => {
    const socket = connect({ port, host: '127.0.0.1' })
    await once(socket, 'connect')
    return socket
  }
  const ask = async (socket: Socket, caller: string) => {
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nAuthorization: ${caller}\r\n\r\n`)
    await once(socket, 'data')
  }
  const sockets = await Promise.all(Array.from({ length: 200 }, dial))
  const other = await dial()
  await Promise.all([...sockets.map((socket) => ask(socket, 'busy')), ask(other, 'other')])
  expect(begun).toHaveLength(201)
  expect(begun.indexOf('other')).toBeLessThan(100)
  for (const socket of [...sockets, other]) socket.destroy()
  server.close()
})
