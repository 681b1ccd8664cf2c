import { parentPort } from 'node:worker_threads'
import { parseYaml } from './parse.ts'

// One text at a time; the first message says that the thread is ready for them.
parentPort?.on('message', (yaml: string) => parentPort?.postMessage(parseYaml(yaml)))
parentPort?.postMessage('ready')
