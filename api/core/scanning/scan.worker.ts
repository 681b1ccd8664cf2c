import { serveFiles } from '../parsers/index.ts'
import { scanBytes } from './scan-bytes.ts'

serveFiles(scanBytes)
