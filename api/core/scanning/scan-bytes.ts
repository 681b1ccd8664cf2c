import { FormatFault, MeteredBytes, readGguf, readSafetensors, type FileBytes } from '../parsers/index.ts'
import { isGzip, isZlib, scanCompressed, unscannableCompression } from './containers/compressed.ts'
import { scanNpy } from './containers/npy.ts'
import { isTar, scanTar } from './containers/tar.ts'
import { scanZip } from './containers/zip.ts'
import type { Context } from './context.ts'
import type { FileScanFacts } from './facts.ts'
import { Findings } from './findings.ts'
import { scanHdf5, scanKerasConfig, scanOnnx, scanTensorflow } from './formats/graphs.ts'
import { scanSettings, scanTemplate, scanTemplateFile, scanYaml } from './formats/text.ts'
import { Budget } from './inflate/inflated-bytes.ts'
import { hasPickleHead, scanPickles } from './pickle/scan-pickles.ts'

const MAX_READ_BYTES = 8 * 1024 ** 3
const MAX_INFLATED_BYTES = 16 * 1024 ** 3

/** Beside a file's bytes. */
export interface ScanInput {
  /** Its path, or the `readingOf` it. */
  path: string
}

/** Looks at what a file would do to a program that loads it (indexing.md §3). Nothing in it is run. */
export function scanBytes({ path }: ScanInput, file: FileBytes): FileScanFacts {
  const metered = new MeteredBytes(file, MAX_READ_BYTES)
  const findings = new Findings()
  const context: Context = {
    findings,
    budget: new Budget(MAX_INFLATED_BYTES),
    depth: 0,
    scanInside: () => undefined,
  }
  scanInto(context, path, metered)
  return findings.facts(metered.readBytes)
}

/** Scans one file or member; budgets that end are a problem of it, since what is not looked at is never safe. */
function scanInto(around: Context, path: string, file: FileBytes): void {
  const context: Context = {
    ...around,
    scanInside: (inner, bytes, findings = around.findings) =>
      scanInto({ ...around, findings, depth: around.depth + 1 }, inner, bytes),
  }
  try {
    scanFile(context, path, file)
  } catch (error) {
    if (!(error instanceof FormatFault)) throw error
    const code =
      error.code === 'read_budget'
        ? 'scan_incomplete'
        : error.code === 'truncated'
          ? 'file_truncated'
          : error.code
    context.findings.problem(code, error.message)
  }
}

const pickleName = /\.(bin|pt|pth|pt2|ckpt|pkl|pickle|p|joblib|dill)$/i
const perhapsPickle = /\.(dat|data|mar)$/i
const zipName = /\.(zip|pt|pth|pt2|ckpt|bin|keras|npz|whl|mar|nemo)$/i
const templateName = /\.(jinja2?|j2)$/i
const settingsName =
  /(^|\/)(config|tokenizer_config|processor_config|preprocessor_config|chat_template)\.json$/i
const compressedName = /\.(joblib|pkl|pickle|p|dill|z|gz|bin|pt|pth|ckpt|dat|data)$/i
const HDF5 = Buffer.from('\x89HDF\r\n\x1a\n', 'latin1')
const SEVEN_ZIP = Buffer.from('7z\xbc\xaf\x27\x1c', 'latin1')
const NUMPY = Buffer.from('\x93NUMPY', 'latin1')

const begins = (head: Uint8Array, magic: Uint8Array): boolean => magic.every((byte, i) => head[i] === byte)

/** Tries every reading that fits: one program takes a file for a pickle, another for a zip. */
function scanFile(context: Context, path: string, file: FileBytes): void {
  const { findings } = context
  const head = file.read(0, 512)
  const checked = (isFit: boolean, scan: () => void) => {
    if (!isFit) return
    findings.isChecked = true
    scan()
  }
  const isZipHead = head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4
  const isPickle = hasPickleHead(head)
  const isNested = path === ''
  checked(isZipHead || zipName.test(path) || (isPickle && !isNested), () => {
    if (!scanZip(context, file) && isZipHead) findings.problem('zip_damaged', 'The archive has no directory.')
  })
  // Nested bytes are looked into on suspicion alone, so that they must end as a pickle does.
  checked(isPickle, () => scanPickles(context, file, isNested ? 'perhaps' : 'head'))
  checked(!isPickle && !isZipHead && pickleName.test(path), () => scanPickles(context, file, 'name'))
  checked(!isPickle && !isZipHead && perhapsPickle.test(path), () => scanPickles(context, file, 'perhaps'))
  scanContainers(context, path, file, head, checked)
  scanFormats(context, path, file, head, checked)
}

type Checked = (isFit: boolean, scan: () => void) => void

function scanContainers(
  context: Context,
  path: string,
  file: FileBytes,
  head: Uint8Array,
  checked: Checked,
): void {
  const { findings } = context
  const unscannable = unscannableCompression(head)
  const isCertain = unscannable !== 'lzma' || compressedName.test(path)
  checked(begins(head, NUMPY), () => scanNpy(context, file))
  checked(isTar(head), () => scanTar(context, file))
  checked(isGzip(head) || (isZlib(head) && compressedName.test(path)), () =>
    scanCompressed(context, path, file),
  )
  checked(unscannable !== undefined && isCertain, () =>
    findings.problem(
      'unscannable_compression',
      `The file is compressed by ${unscannable}, which is not looked into.`,
    ),
  )
  checked(begins(head, SEVEN_ZIP), () =>
    findings.problem('unscannable_archive', '7z archives are not looked into.'),
  )
}

function scanFormats(
  context: Context,
  path: string,
  file: FileBytes,
  head: Uint8Array,
  checked: Checked,
): void {
  const { findings } = context
  const isNemo = /\.nemo$/i.test(path) || context.depth > 0
  checked(begins(head, HDF5) || /\.(h5|hdf5)$/i.test(path), () => scanHdf5(context, file))
  checked(/(^|\/)config\.json$/i.test(path) && context.depth > 0, () => scanKerasConfig(context, file))
  checked(/\.pb$/i.test(path), () => scanTensorflow(context, file))
  checked(/\.onnx$/i.test(path), () => scanOnnx(context, file))
  checked(templateName.test(path), () => scanTemplateFile(context, file))
  checked(settingsName.test(path) && context.depth === 0, () => scanSettings(context, file))
  checked(/\.ya?ml$/i.test(path), () => scanYaml(context, file, isNemo))
  checked(/\.py$/i.test(path) && context.depth === 0, () =>
    findings.problem('custom_code', 'The file is Python code.', 'info'),
  )
  checked(/\.safetensors$/i.test(path), () => {
    for (const { code, message, severity } of readSafetensors(file).problems)
      findings.problem(code, message, severity)
  })
  checked(/\.gguf$/i.test(path), () => {
    const facts = readGguf(file)
    for (const { code, message, severity } of facts.problems) findings.problem(code, message, severity)
    for (const template of [facts.chatTemplate ?? '', ...Object.values(facts.chatTemplates)])
      scanTemplate(context, template)
  })
}
