import type { FileBytes } from '../../parsers/index.ts'
import type { Context } from '../context.ts'

const MAX_TEXT = 16 * 1024 * 1024
const escapes =
  /__(?:class|globals|subclasses|import|builtins|mro|base|bases|init|getattribute|code)__|\|\s*attr\s*\(/
const harmlessTarget =
  /^(nemo|torch|pytorch_lightning|lightning|omegaconf|torchmetrics|nemo_text_processing)(\.|$)/

const textOf = (file: FileBytes): string =>
  Buffer.from(file.read(0, Math.min(file.sizeBytes, MAX_TEXT))).toString('utf8')

/** A template that reaches for Python's own objects. */
export function scanTemplate(context: Context, template: string): void {
  const found = escapes.exec(template)
  if (found) context.findings.problem('template_suspicious', `A chat template has ${found[0]}.`)
}

/** A file that is a template, or settings that may hold one. */
export function scanTemplateFile(context: Context, file: FileBytes): void {
  scanTemplate(context, textOf(file))
}

/** The templates of a `tokenizer_config.json` and the like; code of the repo that it loads. */
export function scanSettings(context: Context, file: FileBytes): void {
  const text = textOf(file)
  if (/"auto_map"\s*:/.test(text))
    context.findings.problem(
      'custom_code',
      'auto_map names Python code that is run when the model is loaded.',
      'info',
    )
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return
  }
  for (const template of templatesOf(value)) scanTemplate(context, template)
}

function templatesOf(value: unknown): string[] {
  const found =
    typeof value === 'object' && value !== null && 'chat_template' in value ? value.chat_template : undefined
  if (typeof found === 'string') return [found]
  if (!Array.isArray(found))
    return typeof found === 'object' && found !== null ? Object.values(found).filter(isText) : []
  return found
    .map((each: unknown) =>
      typeof each === 'object' && each !== null && 'template' in each ? each.template : undefined,
    )
    .filter(isText)
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** YAML that makes objects: Python's tags, and targets of hydra in the settings of NeMo. */
export function scanYaml(context: Context, file: FileBytes, isNemo: boolean): void {
  const text = textOf(file)
  const tag = /!!python\/[\w/.:]*/.exec(text)
  if (tag) context.findings.problem('yaml_python_tag', `The YAML makes a Python object: ${tag[0]}`)
  if (!isNemo) return
  for (const [, target = ''] of text.matchAll(/_target_\s*['"]?\s*:\s*['"]?([\w.]+)/g))
    if (!harmlessTarget.test(target))
      context.findings.problem('hydra_target', `The settings make an object of ${target}.`)
}
