import { inspectBytes } from './inspect-bytes.ts'
import { serveFiles } from './thread/remote-bytes.ts'

serveFiles(inspectBytes)
