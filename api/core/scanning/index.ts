export {
  SCANNER_VERSION,
  type FileScanFacts,
  type FoundImport,
  type Safety,
  type ScanStatus,
} from './facts.ts'
export { inOrder, MAX_IMPORTS, statusOf } from './findings.ts'
export { readingOf } from './reading.ts'
export { scan } from './scan.ts'
export { scanBytes, type ScanInput } from './scan-bytes.ts'
export { judge as judgeImport } from './verdicts/judge.ts'
export { zipDirectories, type ZipDirectory, type ZipEntry } from './containers/zip-directory.ts'
