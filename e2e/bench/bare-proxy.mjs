// The smallest proxy that Node's HTTP modules allow: one request per request, with its answer piped through.
import { Agent, createServer, get } from 'node:http'

const [, , port, target] = process.argv
const agent = new Agent({ keepAlive: true })

createServer((request, response) => {
  if (request.url === '/') return response.end()
  get(target, { agent }, (answer) => {
    response.writeHead(answer.statusCode, { 'Content-Length': answer.headers['content-length'] })
    answer.pipe(response)
  })
}).listen(Number(port), '127.0.0.1')
