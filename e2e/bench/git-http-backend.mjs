// The reference of a commit's cost: real git behind its own CGI program, served by Node.
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'

const [port, root] = process.argv.slice(2)

createServer((request, response) => {
  const url = new URL(request.url, 'http://localhost')
  const backend = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'bench',
      REQUEST_METHOD: request.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
  })
  request.pipe(backend.stdin)
  let head = Buffer.alloc(0)
  backend.stdout.on('data', function onHead(chunk) {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end === -1) return
    backend.stdout.off('data', onHead)
    for (const line of head.subarray(0, end).toString().split('\r\n')) {
      const [name, value] = line.split(/:\s*/, 2)
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
      else response.setHeader(name, value)
    }
    response.write(head.subarray(end + 4))
    backend.stdout.pipe(response)
  })
}).listen(Number(port), '127.0.0.1')
