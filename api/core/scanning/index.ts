export {
  SCANNER_VERSION,
  type FileScanFacts,
  type FoundImport,
  type Safety,
  type ScanStatus,
} from './facts.ts'
export { readingOf } from './reading.ts'
export { scan } from './scan.ts'
export { scanBytes, type ScanInput } from './scan-bytes.ts'
