// The least an upload can cost Node's HTTP server: it reads the body and drops it.
import { createServer } from 'node:http'

createServer((request, response) => {
  request.on('data', () => undefined)
  request.on('end', () => response.end('{}'))
}).listen(Number(process.argv[2]), '127.0.0.1')
